import { Link } from '@tanstack/react-router';
import { CircleCheck, Globe } from 'lucide-react';
import { useState } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { buttonClass } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Empty, Loading, Problem } from '../../../ui/States';
import { liveMessage, useLiveRefresh } from '../../api/live';
import { explain } from '../../api/problem';
import { useStore } from '../../api/store';
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
  const [{ data, error }, ask] = useQuery({ query: HomeDocument, variables: days });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  useLiveRefresh(
    ['BATCH_CREATED', 'BATCH_FINISHED', 'BATCH_DELETED', 'COMPARISON_STATUS_NEW', 'COMPARISON_STATUS_CHANGED', 'RUN_MISSED', 'CHECKS_LOW',
      'CHECKS_EXHAUSTED', 'WEBHOOK_DISABLED', 'GROUP_CREATED', 'GROUP_DELETED', 'WEBSITE_CREATED', 'WEBSITE_DELETED'],
    refresh,
  );
  const runs = useStore(liveMessage)?.runs ?? data?.account.overview.runs ?? [];
  if (!data) {
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
  const { overview } = data.account;
  if (overview.sitesCount === 0) {
    return (
      <Page title={t('title')}>
        <FirstSteps />
      </Page>
    );
  }
  return (
    <Page title={t('title')} heading={<Heading overview={overview} />}>
      <Notices account={data.account} webhooks={data.webhooks.nodes} />
      <Runs runs={runs} />
      <NeedySites sites={overview.needy} />
      {overview.needsCount === 0 && (
        <Panel>
          <Empty icon={<CircleCheck aria-hidden="true" />} title={t('allQuiet')}>
            {t('allQuietAbout')}
          </Empty>
        </Panel>
      )}
      <CalmSites sites={overview.calm} />
    </Page>
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
