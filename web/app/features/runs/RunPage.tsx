import { getRouteApi, Link } from '@tanstack/react-router';
import { ExternalLink, EllipsisVertical, FileDown, RotateCcw, Share2, Square } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { useMutation } from 'urql';

import { Badge } from '../../../ui/Badge';
import { Button, IconButton } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { Page } from '../../../ui/Page';
import { Progress } from '../../../ui/Progress';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import { When } from '../../shell/When';
import { useNow } from '../../shell/now';
import { useMay } from '../../shell/viewer';
import { Counts } from './Counts';
import css from './RunPage.module.css';
import { ShareDialog } from './ShareDialog';
import { CancelRun, RetryFailed, type RunHead } from './query';

const route = getRouteApi('/runs/$batchId');

/** A run: what it is, how far it is, its three views, and the one that is shown. */
export function RunPage({ run, children }: { run: RunHead; children: ReactNode }) {
  const t = useTranslations('runs');
  return (
    <Page title={run.name} about={<About run={run} />} actions={<Actions run={run} />}>
      {run.finishedAt === null && <UnderWay run={run} />}
      {run.unpairedCount > 0 && <p className={css.note}>{t('unpaired', { count: run.unpairedCount })}</p>}
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
    </span>
  );
}

function Actions({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  const locale = useLocale();
  const mayRun = useMay('RUN');
  const mayReview = useMay('REVIEW');
  const link = run.publicLink;
  const [sharing, setSharing] = useState(false);
  const [, cancel] = useMutation(CancelRun);
  const [retrying, retry] = useMutation(RetryFailed);
  const cancelNow = async () => {
    const { error } = await cancel({ id: run.id });
    tell(error === undefined ? { title: t('cancelled') } : { title: t('notCancelled'), description: explain(error), tone: 'problem' });
  };
  const retryNow = async () => {
    const { data, error } = await retry({ id: run.id });
    tell(
      error === undefined
        ? { title: t('retried', { count: data?.retryFailed.count ?? 0 }) }
        : { title: t('notRetried'), description: explain(error), tone: 'problem' },
    );
  };
  return (
    <>
      {mayRun && run.queuesCount.failed > 0 && (
        <Button icon={<RotateCcw aria-hidden="true" />} busy={retrying.fetching} onClick={() => void retryNow()}>
          {t('retryFailed', { count: run.queuesCount.failed })}
        </Button>
      )}
      {mayRun && run.finishedAt === null && (
        <Button look="danger" icon={<Square aria-hidden="true" />} onClick={() => void cancelNow()}>
          {t('cancel')}
        </Button>
      )}
      {mayReview && (
        <Button icon={<Share2 aria-hidden="true" />} onClick={() => setSharing(true)}>
          {t('share')}
        </Button>
      )}
      <Menu
        trigger={<IconButton label={t('moreActions')} icon={<EllipsisVertical aria-hidden="true" />} />}
        items={[
          {
            label: t('report'),
            icon: <FileDown aria-hidden="true" />,
            run: () => window.open(`/reports/${run.id}.pdf?lang=${locale}`, '_blank', 'noopener'),
          },
          ...(link === null
            ? []
            : [
                {
                  label: t('openPublic'),
                  icon: <ExternalLink aria-hidden="true" />,
                  run: () => window.open(link.url, '_blank', 'noopener'),
                },
              ]),
        ]}
      />
      <ShareDialog run={run} open={sharing} onOpenChange={setSharing} />
    </>
  );
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
