import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import type { RunSummaryFragment } from '../../api/generated/graphql';
import css from './Counts.module.css';

/** What came of a finished run, the open things first. */
export function Counts({
  run,
}: {
  run: Pick<RunSummaryFragment, 'comparisonsCount' | 'queuesCount' | 'cancelledAt' | 'expiredAt' | 'type'> & { unseenCount: number };
}) {
  const t = useTranslations('runs.counts');
  const { ok, toFix, falsePositive } = run.comparisonsCount;
  const open = run.comparisonsCount.new;
  const compared = ok + toFix + falsePositive + open;
  return (
    <span className={css.counts}>
      {open > 0 && <Badge tone="alert">{t('open', { count: open })}</Badge>}
      {toFix > 0 && <Badge tone="fix">{t('toFix', { count: toFix })}</Badge>}
      {run.queuesCount.failed > 0 && <Badge tone="unsure">{t('failed', { count: run.queuesCount.failed })}</Badge>}
      {run.cancelledAt !== null && <Badge>{t('cancelled')}</Badge>}
      {run.expiredAt !== null && <Badge>{t('expired')}</Badge>}
      {open === 0 && compared > 0 && <Badge tone="good">{t('ok', { count: compared })}</Badge>}
      {run.unseenCount > 0 && <Badge tone="unsure">{t('unseen', { count: run.unseenCount })}</Badge>}
      {compared === 0 && run.type === 'PRE' && <Badge>{t('taken', { count: run.queuesCount.done })}</Badge>}
    </span>
  );
}
