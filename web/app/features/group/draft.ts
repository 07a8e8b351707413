import type { UpdateGroupInput } from '../../api/generated/graphql';
import { linesOf } from './lines';
import type { SettingsGroup } from './query';

/** The rules for the verdict on updates; the pages that must be fine are a text with one per line. */
export type GateDraft = Omit<SettingsGroup['gateRules'], '__typename' | 'mustBeFine'> & { mustBeFine: string };

/** The settings as the form has them: what may be null is an empty text. */
export interface Draft {
  name: string;
  threshold: string;
  measure: SettingsGroup['measure'];
  /** Empty for none that we know. */
  cms: string;
  css: string;
  js: string;
  user: string;
  /** Empty leaves the stored password as it is. */
  password: string;
  proxyType: SettingsGroup['proxyType'];
  proxyCountry: string;
  region: SettingsGroup['screenshotRegion'];
  delay: string;
  defaultDesktop: boolean;
  defaultMobile: boolean;
  hideConsent: boolean;
  confirmChanges: boolean;
  alarmPageChanges: boolean;
  /** The id of the flow that signs in; empty for none. */
  signInFlow: string;
  alertEmails: string;
  gate: GateDraft;
}

export function gateOf(rules: SettingsGroup['gateRules']): GateDraft {
  const { alert, notSure, scriptErrors, failedResources, missingPages } = rules;
  return { alert, notSure, scriptErrors, failedResources, missingPages, mustBeFine: rules.mustBeFine.join('\n') };
}

export function draftOf(group: SettingsGroup): Draft {
  const { name, measure, proxyType, defaultDesktop, defaultMobile, hideConsent, confirmChanges, alarmPageChanges } = group;
  return {
    name,
    measure,
    proxyType,
    defaultDesktop,
    defaultMobile,
    hideConsent,
    confirmChanges,
    alarmPageChanges,
    threshold: String(group.threshold),
    cms: group.cms ?? '',
    css: group.css ?? '',
    js: group.js ?? '',
    user: group.basicAuthUser ?? '',
    signInFlow: group.signInFlow?.id ?? '',
    password: '',
    proxyCountry: group.proxyCountry ?? '',
    region: group.screenshotRegion,
    delay: group.screenshotDelay === null ? '' : String(group.screenshotDelay),
    alertEmails: group.alertEmails.join('\n'),
    gate: gateOf(group.gateRules),
  };
}

/** What the server takes. Rules for updates are sent only once they were changed: the default ones stay those of the service. */
export function inputOf(draft: Draft, group: SettingsGroup): UpdateGroupInput {
  const { name, measure, proxyType, defaultDesktop, defaultMobile, hideConsent, confirmChanges, alarmPageChanges } = draft;
  return {
    name,
    measure,
    proxyType,
    defaultDesktop,
    defaultMobile,
    hideConsent,
    confirmChanges,
    alarmPageChanges,
    threshold: Number(draft.threshold),
    cms: draft.cms || null,
    css: draft.css || null,
    js: draft.js || null,
    basicAuthUser: draft.user || null,
    signInFlowId: draft.signInFlow || null,
    // Without a user there is no password either.
    ...(draft.user === '' ? { basicAuthPassword: null } : draft.password !== '' && { basicAuthPassword: draft.password }),
    proxyCountry: draft.proxyCountry || null,
    screenshotRegion: draft.region,
    screenshotDelay: draft.delay === '' ? null : Number(draft.delay),
    alertEmails: addressesOf(draft.alertEmails),
    ...(!same(draft.gate, gateOf(group.gateRules)) && {
      gateRules: { ...draft.gate, mustBeFine: linesOf(draft.gate.mustBeFine).map(({ text }) => text) },
    }),
  };
}

function same(one: GateDraft, other: GateDraft): boolean {
  return (Object.keys(other) as (keyof GateDraft)[]).every((field) => one[field] === other[field]);
}

/** Email addresses of a text that separates them by lines or commas. */
export function addressesOf(text: string): string[] {
  return text
    .split(/[\n,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
