import { getRouteApi, Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Progress } from '../../../ui/Progress';
import { Empty, Loading, Problem } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { explain } from '../../api/problem';
import { When } from '../../shell/When';
import { Counts } from './Counts';
import css from './RunList.module.css';
import { RunListDocument, type ListedRun } from './query';

const route = getRouteApi('/runs');

/** All runs, newest first. */
export function RunList() {
  const t = useTranslations('runs');
  const { q, source } = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState(50);
  const filter = { ...(q !== undefined && { search: q }), ...(source !== undefined && { sources: [source] }) };
  const [{ data, error, fetching }, ask] = useQuery({ query: RunListDocument, variables: { first: Math.min(shown, 100), filter } });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  useLiveRefresh(['BATCH_CREATED', 'BATCH_FINISHED', 'BATCH_DELETED', 'BATCH_UPDATED'], refresh);
  const search = (
    <div className={css.filter}>
      <input
        type="search"
        className={css.search}
        defaultValue={q ?? ''}
        aria-label={t('search')}
        placeholder={t('search')}
        onChange={(event) => void navigate({ search: (old) => ({ ...old, q: event.target.value || undefined }), replace: true })}
      />
      <select
        className={css.select}
        aria-label={t('source')}
        value={source ?? ''}
        onChange={(event) =>
          void navigate({ search: (old) => ({ ...old, source: (event.target.value || undefined) as typeof source }), replace: true })
        }
      >
        <option value="">{t('anySource')}</option>
        <option value="MANUAL">{t('sources.MANUAL')}</option>
        <option value="MONITORING">{t('sources.MONITORING')}</option>
        <option value="AUTO_UPDATE">{t('sources.AUTO_UPDATE')}</option>
      </select>
    </div>
  );
  return (
    <Page title={t('title')} actions={search}>
      {!data ? (
        error === undefined ? (
          <Loading label={t('loading')} />
        ) : (
          <Problem title={t('notLoaded')} message={explain(error)} retry={{ label: t('retry'), run: refresh }} />
        )
      ) : data.batches.nodes.length === 0 ? (
        <Panel>
          <Empty icon={<Layers aria-hidden="true" />} title={t('none')}>
            {t('noneAbout')}
          </Empty>
        </Panel>
      ) : (
        <Panel flush>
          <ul>
            {data.batches.nodes.map((run) => (
              <li key={run.id} className={css.run}>
                <Run run={run} />
              </li>
            ))}
          </ul>
          {data.batches.pageInfo.hasNextPage && shown < 100 && (
            <div className={css.more}>
              <Button look="quiet" busy={fetching} onClick={() => setShown(100)}>
                {t('more')}
              </Button>
            </div>
          )}
        </Panel>
      )}
    </Page>
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
