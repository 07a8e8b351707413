import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';

import { tell } from '../../../ui/Toasts';
import type { ComparisonFilter, ComparisonStatus, JudgeChangeMutation } from '../../api/generated/graphql';
import { explain } from '../../api/problem';
import { JudgeChange, JudgeComparisons, JudgeFound, ReopenComparisons, UndoReview } from './query';

export type Verdict = Exclude<ComparisonStatus, 'NEW'>;

/** What stayed open although it was found and accepted. */
export type Remains = Pick<JudgeChangeMutation['setStatusOfChange'], 'reviewId' | 'stillOpenCount' | 'stillOpen'>;

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
  const last = useRef<string | undefined>(undefined);

  const undo = async () => {
    const id = last.current;
    last.current = undefined;
    if (id === undefined) {
      tell({ title: t('nothingToUndo') });
      return;
    }
    const { data, error } = await client.mutation(UndoReview, { id });
    if (error !== undefined) {
      tell({ title: t('notUndone'), description: explain(error), tone: 'problem' });
      return;
    }
    const since = data?.undoReview.changedSinceCount ?? 0;
    const nothing = data?.undoReview.reviewId === null;
    tell({
      title: nothing ? t('nothingTakenBack') : t('undone', { count: data?.undoReview.changedCount ?? 0 }),
      ...(since > 0 && { description: t('changedSince', { count: since }) }),
    });
    changed();
  };

  const remember = (reviewId: string | null, title: string, description = '') => {
    last.current = reviewId ?? undefined;
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

  const tellFound = (result: Remains, title: string) => {
    remember(result.reviewId, title, result.stillOpenCount > 0 ? t('stillOpen', { count: result.stillOpenCount }) : '');
    return result;
  };

  return {
    undo,
    async judgeChange(fingerprint, verdict) {
      const result = (await save(JudgeChange, { batchId, fingerprint, status: verdict }))?.setStatusOfChange;
      if (result === undefined) {
        return undefined;
      }
      const onlyNoted = result.changedCount === 0 && result.reviewId !== null;
      return tellFound(result, onlyNoted ? t(`noted.${verdict}`) : t(`judged.${verdict}`, { count: result.changedCount }));
    },
    async judgeMatching(filter, verdict) {
      const variables = { filter: { ...filter, batchIds: [batchId] }, status: verdict };
      const result = (await save(JudgeFound, variables))?.setStatusOfComparisons;
      return result && tellFound(result, t(`judged.${verdict}`, { count: result.changedCount }));
    },
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
