import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { Progress } from '../../../ui/Progress';
import type { RunSummaryFragment } from '../../api/generated/graphql';
import { useNow } from '../../shell/now';
import css from './Runs.module.css';

/** The runs under way, as they go. */
export function Runs({ runs }: { runs: readonly RunSummaryFragment[] }) {
  const t = useTranslations('home.runs');
  if (runs.length === 0) {
    return null;
  }
  return (
    <Panel title={t('title', { count: runs.length })} flush>
      <ul>
        {runs.map((run) => (
          <li key={run.id} className={css.run}>
            <Run run={run} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Run({ run }: { run: RunSummaryFragment }) {
  const t = useTranslations('home.runs');
  const format = useFormatter();
  const now = useNow();
  const { planned, done, ahead, estimatedFinishAt } = run.completion;
  const rest =
    estimatedFinishAt !== null
      ? t('ends', { when: format.relativeTime(new Date(estimatedFinishAt), now) })
      : done === 0 && ahead > 0
        ? t('waits', { ahead })
        : '';
  return (
    <>
      <Link to="/runs/$batchId" params={{ batchId: run.id }} search={{ view: 'progress' }} className={css.name}>
        {run.name}
      </Link>
      <Progress label={run.name} done={done} planned={planned} failed={run.queuesCount.failed} />
      <span className={css.figures}>
        {t('done', { done, planned })}
        {rest !== '' && ` · ${rest}`}
      </span>
    </>
  );
}
