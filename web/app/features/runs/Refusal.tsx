import { useFormatter, useTranslations } from 'use-intl';

import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useNow } from '../../shell/now';
import { pageName } from '../../shell/pageName';
import css from './RunPage.module.css';
import { RunRefusalsDocument } from './query';

/** Why a run waits, if a site refuses its requests, for example because it is under maintenance. */
export function Refusal({ batchId }: { batchId: string }) {
  const t = useTranslations('runs.refusal');
  const format = useFormatter();
  const now = useNow();
  const { data, refresh } = useRefreshable({ query: RunRefusalsDocument, variables: { id: batchId } });
  useLiveRefresh(['QUEUE_STATUS_OPEN', 'QUEUE_STATUS_PROCESSING', 'BATCH_UPDATED', 'BATCH_FINISHED'], refresh, batchId);
  const refused = data?.batch?.queueEntries.nodes.find(({ refusal }) => refusal !== null);
  if (refused?.refusal === null || refused?.refusal === undefined) {
    return null;
  }
  const { wholeSite, status, since, nextAttemptAt } = refused.refusal;
  const next = nextAttemptAt === null ? null : new Date(nextAttemptAt);
  return (
    <p className={css.note}>
      {t(status === 503 ? 'maintenance' : 'refuses', {
        what: wholeSite ? 'site' : 'page',
        address: pageName(refused.urlLink),
        status,
        since: format.dateTime(new Date(since), { timeStyle: 'short' }),
      })}{' '}
      {next !== null && next > now ? t('next', { when: format.relativeTime(next, now) }) : t('soon')}
    </p>
  );
}
