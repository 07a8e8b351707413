import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from 'urql';

import { tell } from '../../../ui/Toasts';
import type { ComparisonStatus, JudgeChangeMutation } from '../../api/generated/graphql';
import { explain } from '../../api/problem';
import { addAccepted, removeAccepted } from './accepted';
import { JudgeChange, JudgeComparisons, ReopenComparisons, UndoReview } from './query';

export type Verdict = Exclude<ComparisonStatus, 'NEW'>;

/** What stayed open although a change was accepted. */
export type Remains = JudgeChangeMutation['setStatusOfComparisons'];

export interface Judging {
  /** Judges a change wherever it occurs in the run; tells what stays open. */
  judgeChange(fingerprint: string, verdict: Verdict): Promise<Remains | undefined>;
  judgeComparisons(ids: readonly string[], verdict: Verdict): Promise<boolean>;
  reopen(ids: readonly string[]): Promise<boolean>;
  /** Takes the last verdict back that was given here. */
  undo(): Promise<void>;
}

/** Verdicts on a run, each told with a way back. After each, changed is called: the run has to be read again. */
export function useJudging(batchId: string, changed: () => void): Judging {
  const t = useTranslations('review');
  const client = useClient();
  const last = useRef<{ reviewId: string; undone: () => void } | undefined>(undefined);

  const undo = async () => {
    const review = last.current;
    last.current = undefined;
    if (review === undefined) {
      tell({ title: t('nothingToUndo') });
      return;
    }
    const { data, error } = await client.mutation(UndoReview, { id: review.reviewId });
    if (error !== undefined) {
      tell({ title: t('notUndone'), description: explain(error), tone: 'problem' });
      return;
    }
    review.undone();
    const since = data?.undoReview.changedSinceCount ?? 0;
    tell({ title: t('undone', { count: data?.undoReview.changedCount ?? 0 }), ...(since > 0 && { description: t('changedSince', { count: since }) }) });
    changed();
  };

  const remember = (reviewId: string | null | undefined, title: string, description = '', undone = () => undefined as void) => {
    last.current = reviewId === null || reviewId === undefined ? undefined : { reviewId, undone };
    const offer = last.current !== undefined && { action: { label: t('undo'), run: () => void undo() } };
    tell({ title, ...(description !== '' && { description }), ...offer });
    changed();
  };

  return {
    undo,
    async judgeChange(fingerprint, verdict) {
      const accepts = verdict !== 'TO_FIX';
      const changes = accepts ? [...addAccepted(batchId, fingerprint)] : [fingerprint];
      const { data, error } = await client.mutation(JudgeChange, {
        filter: { batchIds: [batchId], statuses: ['NEW'], changes },
        status: verdict,
      });
      if (data === undefined || error !== undefined) {
        removeAccepted(batchId, fingerprint);
        tell({ title: t('notSaved'), description: error === undefined ? '' : explain(error), tone: 'problem' });
        return undefined;
      }
      const result = data.setStatusOfComparisons;
      remember(
        result.reviewId,
        t(`judged.${verdict}`, { count: result.changedCount }),
        result.stillOpenCount > 0 ? t('stillOpen', { count: result.stillOpenCount }) : '',
        () => removeAccepted(batchId, fingerprint),
      );
      return result;
    },
    async judgeComparisons(ids, verdict) {
      const { data, error } = await client.mutation(JudgeComparisons, { ids: [...ids], status: verdict });
      if (data === undefined || error !== undefined) {
        tell({ title: t('notSaved'), description: error === undefined ? '' : explain(error), tone: 'problem' });
        return false;
      }
      remember(data.setComparisonStatuses.reviewId, t(`judged.${verdict}`, { count: data.setComparisonStatuses.changedCount }));
      return true;
    },
    async reopen(ids) {
      const { data, error } = await client.mutation(ReopenComparisons, { ids: [...ids] });
      if (data === undefined || error !== undefined) {
        tell({ title: t('notSaved'), description: error === undefined ? '' : explain(error), tone: 'problem' });
        return false;
      }
      remember(data.reopenComparisons.reviewId, t('reopened', { count: data.reopenComparisons.changedCount }));
      return true;
    },
  };
}
