import { getRouteApi } from '@tanstack/react-router';

import { ScheduleTab } from './ScheduleTab';
import { SettingsTab } from './SettingsTab';
import { UrlsTab } from './UrlsTab';
import type { Tab } from './search';

const route = getRouteApi('/groups/$groupId');

const parts = { urls: UrlsTab, schedule: ScheduleTab, settings: SettingsTab } satisfies Record<Tab, unknown>;

/** A group: its URLs, its schedule and its settings, each with an address. */
export function GroupScreen() {
  const { groupId } = route.useParams();
  const { tab = 'urls' } = route.useSearch();
  const Part = parts[tab];
  return <Part key={groupId} groupId={groupId} />;
}
