import type { UpdateGroupInput } from '../../api/generated/graphql';
import type { SettingsGroup } from './query';

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
  alertEmails: string;
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
    password: '',
    proxyCountry: group.proxyCountry ?? '',
    region: group.screenshotRegion,
    delay: group.screenshotDelay === null ? '' : String(group.screenshotDelay),
    alertEmails: group.alertEmails.join('\n'),
  };
}

/** What the server takes. */
export function inputOf(draft: Draft): UpdateGroupInput {
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
    // Without a user there is no password either.
    ...(draft.user === '' ? { basicAuthPassword: null } : draft.password !== '' && { basicAuthPassword: draft.password }),
    proxyCountry: draft.proxyCountry || null,
    screenshotRegion: draft.region,
    screenshotDelay: draft.delay === '' ? null : Number(draft.delay),
    alertEmails: addressesOf(draft.alertEmails),
  };
}

/** Email addresses of a text that separates them by lines or commas. */
export function addressesOf(text: string): string[] {
  return text
    .split(/[\n,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
