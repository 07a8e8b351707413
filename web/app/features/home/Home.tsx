import { Link } from '@tanstack/react-router';
import { CircleCheck, Globe } from 'lucide-react';
import { useState } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';

import { buttonClass } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { liveMessage, useLiveRefresh } from '../../api/live';
import { useStore } from '../../api/store';
import type { HomeQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { CalmSites } from './CalmSites';
import { NeedySites } from './NeedySites';
import { Notices } from './Notices';
import { Runs } from './Runs';
import { period } from './days';
import { HomeDocument, type Overview } from './query';

/** How all sites stand: who needs somebody, what is under way, and what one could not know otherwise. */
export function Home() {
  const t = useTranslations('home');
  const timeZone = useTimeZone();
  const [days] = useState(() => period(new Date(), timeZone ?? 'UTC'));
  const { data, error, refresh } = useRefreshable({ query: HomeDocument, variables: days });
  useLiveRefresh(
    [
      'BATCH_CREATED',
      'BATCH_FINISHED',
      'BATCH_DELETED',
      'COMPARISON_STATUS_NEW',
      'COMPARISON_STATUS_CHANGED',
      'RUN_MISSED',
      'CHECKS_LOW',
      'CHECKS_EXHAUSTED',
      'WEBHOOK_DISABLED',
      'GROUP_CREATED',
      'GROUP_DELETED',
      'WEBSITE_CREATED',
      'WEBSITE_DELETED',
    ],
    refresh,
  );
  const overview = data?.account.overview;
  return (
    <Page title={t('title')} {...(overview !== undefined && overview.sitesCount > 0 && { heading: <Heading overview={overview} /> })}>
      <Loaded data={data} error={error} retry={refresh}>
        {(home) => (home.account.overview.sitesCount === 0 ? <FirstSteps /> : <Sites home={home} />)}
      </Loaded>
    </Page>
  );
}

function Sites({ home }: { home: HomeQuery }) {
  const t = useTranslations('home');
  const { overview } = home.account;
  const runs = useStore(liveMessage)?.runs ?? overview.runs;
  return (
    <>
      <Notices account={home.account} webhooks={home.webhooks.nodes} />
      <Runs runs={runs} />
      <NeedySites sites={overview.needy} count={overview.needsCount} />
      {overview.needsCount === 0 && (
        <Panel>
          <Empty icon={<CircleCheck aria-hidden="true" />} title={t('allQuiet')}>
            {t('allQuietAbout')}
          </Empty>
        </Panel>
      )}
      <CalmSites sites={overview.calm} count={overview.sitesCount - overview.needsCount} />
    </>
  );
}

function Heading({ overview }: { overview: Overview }) {
  const t = useTranslations('home');
  return t.rich('heading', {
    sites: overview.sitesCount,
    needs: overview.needsCount,
    strong: (chunks) => <strong>{chunks}</strong>,
  });
}

function FirstSteps() {
  const t = useTranslations('home');
  return (
    <Panel>
      <Empty
        icon={<Globe aria-hidden="true" />}
        title={t('empty')}
        action={
          <Link to="/start" className={buttonClass('primary')}>
            {t('addSite')}
          </Link>
        }
      >
        {t('emptyAbout')}
      </Empty>
    </Panel>
  );
}
