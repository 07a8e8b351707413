import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Loading, Problem } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { codeOf, explain } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Missing } from '../../shell/Missing';
import { FlowsPanel } from '../flows/FlowsPanel';
import { AutoUpdateForm } from './AutoUpdateForm';
import { Culprits } from './Culprits';
import { DeleteWebsite } from './DeleteWebsite';
import { EditWebsite } from './EditWebsite';
import { GroupCard } from './GroupCard';
import css from './Website.module.css';
import { WebsiteDocument } from './query';

const route = getRouteApi('/sites/$websiteId');

/** A website: its two groups, what its last update caused, and how its automatic updates are checked. */
export function Website() {
  const t = useTranslations('website');
  const { websiteId } = route.useParams();
  const { data, error, refresh } = useRefreshable({ query: WebsiteDocument, variables: { id: websiteId } });
  useLiveRefresh(['WEBSITE_UPDATED', 'WEBSITE_DELETED', 'GROUP_UPDATED', 'GROUP_DELETED', 'BATCH_FINISHED'], refresh);
  if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
    return <Missing />;
  }
  const website = data?.website;
  if (!website) {
    return (
      <Page title={t('title')}>
        {error === undefined ? (
          <Loading label={t('loading')} />
        ) : (
          <Problem title={t('notLoaded')} message={explain(error)} retry={{ label: t('retry'), run: refresh }} />
        )}
      </Page>
    );
  }
  const culprits = website.lastBatch?.culprits ?? [];
  return (
    <Page
      title={website.domain}
      about={t('about', { open: website.openAlarms })}
      actions={
        <>
          <EditWebsite id={website.id} domain={website.domain} />
          <DeleteWebsite id={website.id} domain={website.domain} />
        </>
      }
    >
      <div className={css.groups}>
        <GroupCard title={t('auto')} group={website.autoDetectionGroup} />
        <GroupCard title={t('manual')} group={website.manualDetectionGroup} />
      </div>
      <FlowsPanel websiteId={website.id} />
      {culprits.length > 0 && <Culprits culprits={culprits} />}
      <Panel title={t('updates.title')}>
        <AutoUpdateForm key={website.id} websiteId={website.id} settings={website.autoUpdateSettings} />
      </Panel>
    </Page>
  );
}
