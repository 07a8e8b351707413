import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';

import { comparisonSearch } from './features/comparison/search';
import { flowSearch } from './features/flows/search';
import { groupSearch } from './features/group/search';
import { runSearch, runsSearch } from './features/runs/search';
import { deliveriesSearch, listSearch, peopleSearch } from './features/settings/search';
import { sitesSearch } from './features/sites/search';
import { startSearch } from './features/start/search';
import { Missing } from './shell/Missing';
import { ScreenError } from './shell/ScreenError';
import { Shell } from './shell/Shell';

const root = createRootRoute({ component: Shell, notFoundComponent: Missing, errorComponent: ScreenError });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./features/home/Home'), 'Home'),
});

const sites = createRoute({
  getParentRoute: () => root,
  path: '/sites',
  validateSearch: sitesSearch,
  component: lazyRouteComponent(() => import('./features/sites/Sites'), 'Sites'),
});

const website = createRoute({
  getParentRoute: () => root,
  path: '/sites/$websiteId',
  component: lazyRouteComponent(() => import('./features/website/Website'), 'Website'),
});

const newFlow = createRoute({
  getParentRoute: () => root,
  path: '/sites/$websiteId/flows/new',
  component: lazyRouteComponent(() => import('./features/flows/EditFlow'), 'NewFlow'),
});

const flow = createRoute({
  getParentRoute: () => root,
  path: '/flows/$flowId',
  validateSearch: flowSearch,
  component: lazyRouteComponent(() => import('./features/flows/FlowScreen'), 'FlowScreen'),
});

const editFlow = createRoute({
  getParentRoute: () => root,
  path: '/flows/$flowId/edit',
  component: lazyRouteComponent(() => import('./features/flows/EditFlow'), 'EditFlow'),
});

const flowRun = createRoute({
  getParentRoute: () => root,
  path: '/flow-runs/$runId',
  component: lazyRouteComponent(() => import('./features/flows/FlowRunScreen'), 'FlowRunScreen'),
});

const group = createRoute({
  getParentRoute: () => root,
  path: '/groups/$groupId',
  validateSearch: groupSearch,
  component: lazyRouteComponent(() => import('./features/group/GroupScreen'), 'GroupScreen'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import('./features/runs/RunList'), 'RunList'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$batchId',
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import('./features/review/Run'), 'Run'),
});

const comparison = createRoute({
  getParentRoute: () => root,
  path: '/comparisons/$comparisonId',
  validateSearch: comparisonSearch,
  component: lazyRouteComponent(() => import('./features/comparison/ComparisonScreen'), 'ComparisonScreen'),
});

const rules = createRoute({
  getParentRoute: () => root,
  path: '/rules',
  component: lazyRouteComponent(() => import('./features/rules/Rules'), 'Rules'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  validateSearch: startSearch,
  component: lazyRouteComponent(() => import('./features/start/Start'), 'Start'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./features/settings/Settings'), 'Settings'),
});

const settingsParts = [
  createRoute({
    getParentRoute: () => settings,
    path: '/',
    beforeLoad: () => redirect({ to: '/settings/account', replace: true, throw: true }),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'account',
    component: lazyRouteComponent(() => import('./features/settings/AccountPart'), 'AccountPart'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'branding',
    component: lazyRouteComponent(() => import('./features/settings/Branding'), 'Branding'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./features/settings/People'), 'People'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'tokens',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./features/settings/Tokens'), 'Tokens'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'tags',
    component: lazyRouteComponent(() => import('./features/settings/Tags'), 'Tags'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./features/settings/Webhooks'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'webhooks/$webhookId',
    validateSearch: deliveriesSearch,
    component: lazyRouteComponent(() => import('./features/settings/WebhookLog'), 'WebhookLog'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'subaccounts',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./features/settings/Subaccounts'), 'Subaccounts'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'usage',
    component: lazyRouteComponent(() => import('./features/settings/Usage'), 'Usage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'mails',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./features/settings/Mails'), 'Mails'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'audit',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./features/settings/Audit'), 'Audit'),
  }),
] as const;

const routeTree = root.addChildren([
  home,
  runs,
  run,
  comparison,
  sites,
  website,
  newFlow,
  flow,
  editFlow,
  flowRun,
  group,
  rules,
  start,
  settings.addChildren([...settingsParts]),
]);

/** The ways between the screens, in the browser's history or in one that a test has. */
export function makeRouter(history: RouterHistory = createBrowserHistory()) {
  return createRouter({ routeTree, history, defaultPreload: 'intent', defaultErrorComponent: ScreenError, scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
