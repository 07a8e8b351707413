import { useLinkProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Tabs } from '../../../ui/Tabs';
import { tabs, type Tab } from './search';

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
