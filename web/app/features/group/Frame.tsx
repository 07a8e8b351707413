import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CombinedError } from 'urql';

import { Page } from '../../../ui/Page';
import { Loading, Problem } from '../../../ui/States';
import { codeOf, explain } from '../../api/problem';
import { Missing } from '../../shell/Missing';
import { GroupActions } from './GroupActions';
import { GroupTabs } from './GroupTabs';
import { About } from './About';
import type { Head } from './query';
import type { Tab } from './search';

interface Props {
  groupId: string;
  tab: Tab;
  group: Head | undefined;
  error: CombinedError | undefined;
  retry: () => void;
  children: ReactNode;
}

/** What surrounds each part of a group; it also says when there is no such group. */
export function Frame({ groupId, tab, group, error, retry, children }: Props) {
  const t = useTranslations('group');
  if (group === undefined) {
    if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
      return <Missing />;
    }
    return (
      <Page title={t('title')}>
        <GroupTabs groupId={groupId} current={tab} />
        {error === undefined ? (
          <Loading label={t('loading')} />
        ) : (
          <Problem title={t('notLoaded')} message={explain(error)} retry={{ label: t('retry'), run: retry }} />
        )}
      </Page>
    );
  }
  return (
    <Page title={group.name} about={<About group={group} />} actions={<GroupActions group={group} />}>
      <GroupTabs groupId={groupId} current={tab} />
      {children}
    </Page>
  );
}
