import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import type { QueueStatus, RunEntriesQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { pageName } from '../../shell/pageName';
import { BatchScreen } from './BatchScreen';
import css from './ProgressView.module.css';
import { RunEntriesDocument } from './query';
import type { RunSearch } from './search';

const route = getRouteApi('/runs/$batchId');

const perPage = 100; // as in the query

const tones: Record<QueueStatus, Tone> = { OPEN: 'neutral', PROCESSING: 'accent', DONE: 'good', FAILED: 'alert' };
const order: readonly QueueStatus[] = ['FAILED', 'PROCESSING', 'OPEN', 'DONE'];

type Entry = NonNullable<RunEntriesQuery['batch']>['queueEntries']['nodes'][number];

/** Every page and device of a run: how far it is, and why it failed. */
export function ProgressView({ batchId }: { batchId: string }) {
  const { entries, page = 1 } = route.useSearch();
  const statuses = entries === undefined ? null : [entries];
  const { data, error, refresh } = useRefreshable({ query: RunEntriesDocument, variables: { id: batchId, statuses, page } });
  useLiveRefresh(
    [
      'QUEUE_STATUS_DONE',
      'QUEUE_STATUS_FAILED',
      'QUEUE_STATUS_OPEN',
      'QUEUE_STATUS_PROCESSING',
      'BATCH_FINISHED',
      'BATCH_UPDATED',
      'BATCH_DELETED',
    ],
    refresh,
    batchId,
  );
  return (
    <BatchScreen batch={data?.batch} error={error} retry={refresh}>
      {(run) => <Entries counts={run.queuesCount} entries={data?.batch?.queueEntries} chosen={entries} />}
    </BatchScreen>
  );
}

interface Props {
  counts: { open: number; processing: number; done: number; failed: number };
  entries: NonNullable<RunEntriesQuery['batch']>['queueEntries'] | undefined;
  chosen: QueueStatus | undefined;
}

function Entries({ counts, entries, chosen }: Props) {
  const t = useTranslations('runs.entries');
  const navigate = route.useNavigate();
  const of = { OPEN: counts.open, PROCESSING: counts.processing, DONE: counts.done, FAILED: counts.failed };
  const choose = (status: QueueStatus | undefined) =>
    void navigate({ search: (old) => ({ ...old, entries: status, page: undefined }), replace: true });
  const filter = (
    <div className={css.filter} role="group" aria-label={t('filter')}>
      {order.map((status) => (
        <button
          key={status}
          type="button"
          className={css.choice}
          aria-pressed={chosen === status}
          onClick={() => choose(chosen === status ? undefined : status)}
        >
          <Badge tone={tones[status]}>
            {t(`status.${status}`)} {of[status]}
          </Badge>
        </button>
      ))}
    </div>
  );
  return (
    <Panel title={t('title')} actions={filter} flush>
      {entries === undefined || entries.nodes.length === 0 ? (
        <Empty title={t('none')} />
      ) : (
        <ul>
          {entries.nodes.map((entry) => (
            <li key={entry.id} className={css.entry}>
              <Line entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {entries !== undefined && <Pages total={entries.totalCount} />}
    </Panel>
  );
}

/** The way through more entries than one page has. */
function Pages({ total }: { total: number }) {
  const t = useTranslations('runs.entries');
  const { page = 1 } = route.useSearch();
  const last = Math.ceil(total / perPage);
  if (last <= 1) {
    return null;
  }
  const to = (number: number) => (old: RunSearch) => ({ ...old, page: number });
  return (
    <nav className={css.pages} aria-label={t('pages')}>
      {page > 1 && (
        <Link from="/runs/$batchId" search={to(page - 1)}>
          {t('previous')}
        </Link>
      )}
      <span>{t('page', { page, last })}</span>
      {page < last && (
        <Link from="/runs/$batchId" search={to(page + 1)}>
          {t('next')}
        </Link>
      )}
    </nav>
  );
}

function Line({ entry }: { entry: Entry }) {
  const t = useTranslations('runs.entries');
  const device = useTranslations('device');
  return (
    <>
      <Badge tone={tones[entry.status]}>{t(`status.${entry.status}`)}</Badge>
      <span className={css.page}>
        <bdi className={css.address}>{pageName(entry.urlLink)}</bdi>
        <span className={css.about}>
          {device(entry.device)} · {t(`types.${entry.scType}`)}
          {entry.confirmation && ` · ${t('confirmation')}`}
        </span>
        {(entry.errorMsg ?? entry.notice) !== null && <span className={css.reason}>{entry.errorMsg ?? entry.notice}</span>}
      </span>
    </>
  );
}
