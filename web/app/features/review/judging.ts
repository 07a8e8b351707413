import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';

import { tell } from '../../../ui/Toasts';
import type { ComparisonFilter, ComparisonStatus, JudgeFoundMutation } from '../../api/generated/graphql';
import { explain } from '../../api/problem';
import { addAccepted, removeAccepted } from './accepted';
import { JudgeComparisons, JudgeFound, ReopenComparisons, UndoReview } from './query';

export type Verdict = Exclude<ComparisonStatus, 'NEW'>;

/** What stayed open although it was found and accepted. */
export type Remains = JudgeFoundMutation['setStatusOfComparisons'];

export interface Judging {
  /** Judges a change wherever it occurs in the run; tells what stays open. */
  judgeChange(fingerprint: string, verdict: Verdict): Promise<Remains | undefined>;
  judgeComparisons(ids: readonly string[], verdict: Verdict): Promise<boolean>;
  /** Judges all pages of the run that a filter finds, but for those of which something is unknown; tells what stays open. */
  judgeMatching(filter: ComparisonFilter, verdict: Verdict): Promise<Remains | undefined>;
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

  /** What a mutation answered; undefined, and told, when it was refused. */
  const save = async <Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) => {
    const { data, error } = await client.mutation(document, variables);
    if (data === undefined || error !== undefined) {
      tell({ title: t('notSaved'), description: error === undefined ? '' : explain(error), tone: 'problem' });
      return undefined;
    }
    return data;
  };

  const judgeFound = async (filter: ComparisonFilter, verdict: Verdict, undone?: () => void) => {
    const variables = { filter: { ...filter, batchIds: [batchId] }, status: verdict };
    const result = (await save(JudgeFound, variables))?.setStatusOfComparisons;
    if (result !== undefined) {
      const stillOpen = result.stillOpenCount > 0 ? t('stillOpen', { count: result.stillOpenCount }) : '';
      remember(result.reviewId, t(`judged.${verdict}`, { count: result.changedCount }), stillOpen, undone);
    }
    return result;
  };

  return {
    undo,
    async judgeChange(fingerprint, verdict) {
      const changes = verdict === 'TO_FIX' ? [fingerprint] : [...addAccepted(batchId, fingerprint)];
      const forget = () => removeAccepted(batchId, fingerprint);
      const result = await judgeFound({ statuses: ['NEW'], changes }, verdict, forget);
      if (result === undefined) {
        forget();
      }
      return result;
    },
    judgeMatching: (filter, verdict) => judgeFound(filter, verdict),
    async judgeComparisons(ids, verdict) {
      const result = (await save(JudgeComparisons, { ids: [...ids], status: verdict }))?.setComparisonStatuses;
      if (result !== undefined) {
        remember(result.reviewId, t(`judged.${verdict}`, { count: result.changedCount }));
      }
      return result !== undefined;
    },
    async reopen(ids) {
      const result = (await save(ReopenComparisons, { ids: [...ids] }))?.reopenComparisons;
      if (result !== undefined) {
        remember(result.reviewId, t('reopened', { count: result.changedCount }));
      }
      return result !== undefined;
    },
  };
}
