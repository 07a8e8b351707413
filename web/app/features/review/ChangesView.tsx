import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useKeys } from '../../shell/keys';
import { useMay } from '../../shell/viewer';
import { BatchScreen } from '../runs/BatchScreen';
import type { RunHead } from '../runs/query';
import { ChangeCard } from './ChangeCard';
import css from './ChangesView.module.css';
import { NoChanges } from './NoChanges';
import { OpenPages } from './OpenPages';
import { useJudging, type Remains, type Verdict } from './judging';
import { inReviewOrder } from './order';
import { RunChangesDocument, type OpenComparison, type RunChange } from './query';

/** A run as its changes: each is judged once, wherever it occurs; what is not explained by them stays open, and says why. */
export function ChangesView({ batchId }: { batchId: string }) {
  const { data, error, refresh } = useRefreshable({ query: RunChangesDocument, variables: { id: batchId } });
  useLiveRefresh(
    ['COMPARISON_CREATED', 'COMPARISON_STATUS_NEW', 'COMPARISON_STATUS_CHANGED', 'BATCH_FINISHED', 'BATCH_UPDATED', 'BATCH_DELETED'],
    refresh,
    batchId,
  );
  return (
    <BatchScreen batch={data?.batch} error={error} retry={refresh}>
      {() =>
        data?.batch && (
          <Changes
            run={data.batch}
            changes={data.batch.changes.nodes}
            unlisted={data.batch.changes.totalCount - data.batch.changes.nodes.length}
            open={data.batch.unexplained.nodes}
            refresh={refresh}
          />
        )
      }
    </BatchScreen>
  );
}

interface Props {
  run: RunHead;
  changes: readonly RunChange[];
  unlisted: number;
  open: readonly OpenComparison[];
  refresh: () => void;
}

function Changes({ run, changes, unlisted, open, refresh }: Props) {
  const batchId = run.id;
  const t = useTranslations('review');
  const navigate = useNavigate();
  const mayReview = useMay('REVIEW');
  const judging = useJudging(batchId, refresh);
  const sorted = useMemo(() => inReviewOrder(changes), [changes]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [remains, setRemains] = useState<Remains | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const index = Math.max(
    0,
    sorted.findIndex((change) => change.fingerprint === chosen),
  );
  const current = sorted[index];

  const choose = (next: number) => setChosen(sorted[Math.min(Math.max(next, 0), sorted.length - 1)]?.fingerprint);
  const judge = async (change: RunChange | undefined, verdict: Verdict) => {
    if (change === undefined || !mayReview) {
      return;
    }
    // The one after it, which is shown next: the judged one moves to the end.
    const next = sorted[index + 1]?.fingerprint;
    setRemains(await judging.judgeChange(change.fingerprint, verdict));
    setChosen(next);
  };
  useKeys({
    j: () => choose(index + 1),
    ArrowDown: () => choose(index + 1),
    k: () => choose(index - 1),
    ArrowUp: () => choose(index - 1),
    a: () => void judge(current, 'OK'),
    x: () => void judge(current, 'TO_FIX'),
    f: () => void judge(current, 'FALSE_POSITIVE'),
    u: () => void judging.undo(),
    v: () => void navigate({ to: '/runs/$batchId', params: { batchId }, search: { view: 'pages' } }),
    Enter: () => {
      if (current?.example) {
        void navigate({ to: '/comparisons/$comparisonId', params: { comparisonId: current.example.comparison.id } });
      }
    },
  });
  useEffect(() => {
    if (chosen !== undefined) {
      list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
    }
  }, [chosen]);

  if (sorted.length === 0 && open.length === 0) {
    return <NoChanges run={run} />;
  }
  return (
    <>
      <ul className={css.list} ref={list} aria-label={t('changes')}>
        {sorted.map((change) => (
          <li key={change.fingerprint} aria-current={change === current}>
            <ChangeCard
              change={change}
              current={change === current}
              mayReview={mayReview}
              onChoose={() => setChosen(change.fingerprint)}
              onJudge={(verdict) => void judge(change, verdict)}
            />
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className={css.more}>{t('unlisted', { count: unlisted })}</p>}
      <OpenPages open={open} remains={remains} />
    </>
  );
}
