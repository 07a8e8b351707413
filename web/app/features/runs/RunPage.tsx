import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Page } from '../../../ui/Page';
import { Progress } from '../../../ui/Progress';
import { When } from '../../shell/When';
import { useNow } from '../../shell/now';
import { Counts } from './Counts';
import { Refusal } from './Refusal';
import css from './RunPage.module.css';
import { RunActions } from './RunActions';
import { Verdict } from './Verdict';
import type { RunHead } from './query';

const route = getRouteApi('/runs/$batchId');

/** A run: what it is, how far it is, its three views, and the one that is shown. */
export function RunPage({ run, children }: { run: RunHead; children: ReactNode }) {
  const t = useTranslations('runs');
  return (
    <Page title={run.name} about={<About run={run} />} actions={<RunActions run={run} />}>
      {run.finishedAt === null && <UnderWay run={run} />}
      {run.finishedAt === null && run.queuesCount.open > 0 && <Refusal batchId={run.id} />}
      <Verdict run={run} />
      <FailedFlows run={run} />
      {run.unpairedCount > 0 && <p className={css.note}>{t('unpaired', { count: run.unpairedCount })}</p>}
      {run.unseenCount > 0 && <p className={css.note}>{t('unseen', { count: run.unseenCount })}</p>}
      <Views run={run} />
      {children}
    </Page>
  );
}

function About({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  return (
    <span className={css.about}>
      <Badge tone="accent">{t(`types.${run.type}`)}</Badge>
      {run.comparedWith !== null && (
        <span>
          {t.rich('comparedWith', {
            run: () => (
              <Link to="/runs/$batchId" params={{ batchId: run.comparedWith?.id ?? '' }}>
                {run.comparedWith?.name}
              </Link>
            ),
          })}
        </span>
      )}
      <When time={run.createdAt} />
      {run.finishedAt !== null && <Counts run={run} />}
      {run.expiredAt !== null && <span>{t('expiredAbout')}</span>}
    </span>
  );
}

/** The flows that failed in the run, each with the step. */
function FailedFlows({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  const device = useTranslations('device');
  return run.failedFlowRuns.map((failed) => (
    <p key={failed.id} className={css.note}>
      {t.rich('failedFlow', {
        device: device(failed.device),
        why: failed.failure ?? '',
        flow: () => (
          <Link to="/flow-runs/$runId" params={{ runId: failed.id }}>
            <bdi>{failed.flow?.name}</bdi>
          </Link>
        ),
      })}
    </p>
  ));
}

function UnderWay({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  const format = useFormatter();
  const now = useNow();
  const { planned, done, ahead, estimatedFinishAt } = run.completion;
  return (
    <div className={css.underWay}>
      <Progress label={t('progress')} done={done} planned={planned} failed={run.queuesCount.failed} />
      <p className={css.figures}>
        {t('doneOf', { done, planned })}
        {run.queuesCount.processing > 0 && ` · ${t('processing', { count: run.queuesCount.processing })}`}
        {estimatedFinishAt !== null && ` · ${t('ends', { when: format.relativeTime(new Date(estimatedFinishAt), now) })}`}
        {done === 0 && ahead > 0 && ` · ${t('ahead', { count: ahead })}`}
      </p>
    </div>
  );
}

const views = ['changes', 'pages', 'progress'] as const;

function Views({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  const { view } = route.useSearch();
  return (
    <nav className={css.views} aria-label={t('views')}>
      {views.map((each) => (
        <Link
          key={each}
          to="/runs/$batchId"
          params={{ batchId: run.id }}
          search={{ view: each }}
          replace
          className={css.view}
          aria-current={each === view ? 'page' : undefined}
        >
          {t(`view.${each}`)}
        </Link>
      ))}
    </nav>
  );
}
