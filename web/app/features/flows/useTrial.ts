import { useState } from 'react';

import type { FlowStepStatus, TryFlowInput } from '../../api/generated/graphql';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { useAction } from '../../shell/action';
import { acts, inputOf, type Draft } from './draft';
import { CancelFlowTrialDocument, FlowTrialDocument, TryFlowDocument, type TrialData } from './query';

/** What a trial tells of a step of the editor. */
export interface Tried {
  status: FlowStepStatus | 'RUNNING' | null;
  error: string | null;
  /** The window before the step. */
  before: Picture | null;
  /** The window after the step, where no other step shows it. */
  after: Picture | null;
}

interface Picture {
  link: string;
  preview: string;
}

interface Begun {
  id: string;
  /** The keys of the steps, as they were when it began. */
  keys: number[];
}

interface Trials {
  /** Tries steps up to one, counted from 1. */
  start: (draft: Draft, lastStep: number, allowChanges: boolean) => Promise<void>;
  /** Ends the trial that is running; absent if there is none. */
  cancel: (() => void) | undefined;
  busy: boolean;
  problems: Readonly<Record<string, string>>;
  trial: TrialData | undefined;
  /** Whether a trial was begun that is kept no longer. */
  expired: boolean;
  /** What it tells of steps, by their keys. */
  steps: ReadonlyMap<number, Tried>;
}

/** The steps with a lasting effect among the first ones, counted from 1. */
export function lasting(draft: Draft, lastStep: number): number[] {
  return draft.steps.slice(0, lastStep).flatMap((step, index) => (step.changes && acts(step.type) ? [index + 1] : []));
}

/** Trials of the flow that is being edited, the last of which can be followed. */
export function useTrial(of: Pick<TryFlowInput, 'flowId' | 'websiteId'>): Trials {
  const { act, busy, problems } = useAction(TryFlowDocument);
  const cancel = useAction(CancelFlowTrialDocument);
  const [begun, setBegun] = useState<Begun>();
  const { data, error, refresh } = useRefreshable({
    query: FlowTrialDocument,
    variables: { id: begun?.id ?? '' },
    pause: begun === undefined,
    requestPolicy: 'network-only',
  });
  useLiveRefresh(['FLOW_TRIAL_UPDATED'], () => begun !== undefined && refresh());
  const start: Trials['start'] = async (draft, lastStep, allowChanges) => {
    const { url, devices, steps } = inputOf(draft);
    const done = await act({
      input: { ...of, url: url ?? null, steps: steps ?? null, device: devices?.[0] ?? null, lastStep, allowChanges },
    });
    if (done !== undefined) {
      setBegun({ id: done.tryFlow.trial.id, keys: draft.steps.map(({ key }) => key) });
    }
  };
  const trial = begun === undefined || data?.flowTrial?.id !== begun.id ? undefined : data.flowTrial;
  const expired = begun !== undefined && error !== undefined && codeOf(error) === 'NOT_FOUND';
  const runs = !expired && (trial?.status === 'OPEN' || trial?.status === 'PROCESSING');
  return {
    start,
    cancel: runs ? () => void cancel.act({ id: trial.id }) : undefined,
    busy,
    problems,
    trial,
    expired,
    steps: expired ? new Map<number, Tried>() : triedOf(trial, begun?.keys ?? []),
  };
}

function triedOf(trial: TrialData | undefined, keys: readonly number[]): Map<number, Tried> {
  const steps = trial?.steps ?? [];
  const running = trial?.status === 'PROCESSING' ? steps.find(({ status }) => status === null) : undefined;
  const last = steps.findLast(({ status }) => status === 'PASSED' || status === 'FAILED');
  return new Map(
    steps.map((step, index): [number, Tried] => [
      keys[index] ?? 0,
      {
        status: step === running ? 'RUNNING' : step.status,
        error: step.error,
        before: pictureOf(step),
        after: trial !== undefined && step === last && step !== running ? pictureOf(trial) : null,
      },
    ]),
  );
}

function pictureOf({ pictureLink, previewLink }: { pictureLink: string | null; previewLink: string | null }): Picture | null {
  return pictureLink === null ? null : { link: pictureLink, preview: previewLink ?? pictureLink };
}
