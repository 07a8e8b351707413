import { getRouteApi, useLinkProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Tabs } from '../../../ui/Tabs';
import { ScheduleTab } from './ScheduleTab';
import { SettingsTab } from './SettingsTab';
import { UrlsTab } from './UrlsTab';

const route = getRouteApi('/groups/$groupId');

/** A group: its URLs, its schedule and its settings, each with an address. */
export function GroupScreen() {
  const { groupId } = route.useParams();
  const { tab = 'urls' } = route.useSearch();
  const Part = parts[tab];
  return <Part key={groupId} groupId={groupId} />;
}

const parts = { urls: UrlsTab, schedule: ScheduleTab, settings: SettingsTab };

export type Tab = keyof typeof parts;

const tabs = ['urls', 'schedule', 'settings'] as const;

/** The ways between the parts of a group. */
export function GroupTabs({ groupId, current }: { groupId: string; current: Tab }) {
  const t = useTranslations('group');
  return (
    <Tabs label={t('parts')}>
      {tabs.map((tab) => (
        <TabLink key={tab} groupId={groupId} tab={tab} current={tab === current} />
      ))}
    </Tabs>
  );
}

function TabLink({ groupId, tab, current }: { groupId: string; tab: Tab; current: boolean }) {
  const t = useTranslations('group');
  // The router would call every part current: they differ in the search only, which filters change, too.
  const link = useLinkProps({ to: '/groups/$groupId', params: { groupId }, search: tab === 'urls' ? {} : { tab } });
  return (
    <a {...link} aria-current={current ? 'page' : undefined}>
      {t(`tabs.${tab}`)}
    </a>
  );
}
