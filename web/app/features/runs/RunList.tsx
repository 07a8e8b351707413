import { getRouteApi, Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Progress } from '../../../ui/Progress';
import { Search } from '../../../ui/Search';
import { Empty } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { Counts } from './Counts';
import css from './RunList.module.css';
import { RunListDocument, type ListedRun } from './query';
import { sources, type RunsSearch } from './search';

const route = getRouteApi('/runs');

const perPage = 50;

/** All runs, newest first. */
export function RunList() {
  const t = useTranslations('runs');
  const { q, source, after } = route.useSearch();
  const filter = { ...(q !== undefined && { search: q }), ...(source !== undefined && { sources: [source] }) };
  const { data, error, refresh } = useRefreshable({ query: RunListDocument, variables: { first: perPage, after: after ?? null, filter } });
  useLiveRefresh(['BATCH_CREATED', 'BATCH_FINISHED', 'BATCH_DELETED', 'BATCH_UPDATED'], refresh);
  return (
    <Page title={t('title')} actions={<Filter />}>
      <Loaded data={data} error={error} retry={refresh}>
        {({ batches }) =>
          batches.nodes.length === 0 ? (
            <None />
          ) : (
            <Runs runs={batches.nodes} older={batches.pageInfo.hasNextPage ? batches.pageInfo.endCursor : null} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Filter() {
  const t = useTranslations('runs');
  const { q, source } = route.useSearch();
  const navigate = route.useNavigate();
  // A new filter begins with the newest run.
  const set = (change: RunsSearch) => void navigate({ search: (old) => ({ ...old, ...change, after: undefined }), replace: true });
  return (
    <div className={css.filter}>
      <Search label={t('search')} text={q ?? ''} onChange={(text) => set({ q: text === '' ? undefined : text })} />
      <select
        className={css.select}
        aria-label={t('source')}
        value={source ?? ''}
        onChange={(event) => set({ source: sources.find((each) => each === event.target.value) })}
      >
        <option value="">{t('anySource')}</option>
        {sources.map((each) => (
          <option key={each} value={each}>
            {t(`sources.${each}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

function None() {
  const t = useTranslations('runs');
  return (
    <Panel>
      <Empty icon={<Layers aria-hidden="true" />} title={t('none')}>
        {t('noneAbout')}
      </Empty>
    </Panel>
  );
}

function Runs({ runs, older }: { runs: readonly ListedRun[]; older: string | null }) {
  const t = useTranslations('runs');
  const { after } = route.useSearch();
  return (
    <Panel flush>
      <ul>
        {runs.map((run) => (
          <li key={run.id} className={css.run}>
            <Run run={run} />
          </li>
        ))}
      </ul>
      {(older !== null || after !== undefined) && (
        <nav className={css.more} aria-label={t('pages')}>
          {after !== undefined && (
            <Link from="/runs" search={(old) => ({ ...old, after: undefined })}>
              {t('newest')}
            </Link>
          )}
          {older !== null && (
            <Link from="/runs" search={(old) => ({ ...old, after: older })}>
              {t('older')}
            </Link>
          )}
        </nav>
      )}
    </Panel>
  );
}

function Run({ run }: { run: ListedRun }) {
  const t = useTranslations('runs');
  const where = run.websiteDomains.length > 0 ? run.websiteDomains : run.groupNames;
  return (
    <Link to="/runs/$batchId" params={{ batchId: run.id }} className={css.link}>
      <span className={css.words}>
        <span className={css.name}>{run.name}</span>
        <span className={css.where}>
          {t(`types.${run.type}`)} · {t(`sources.${run.source}`)} · {where.slice(0, 3).join(', ')}
        </span>
      </span>
      {run.finishedAt === null ? (
        <span className={css.progress}>
          <Progress label={run.name} done={run.completion.done} planned={run.completion.planned} failed={run.queuesCount.failed} />
        </span>
      ) : (
        <Counts run={run} />
      )}
      <span className={css.when}>
        <When time={run.createdAt} />
      </span>
    </Link>
  );
}
