import { useTranslations } from 'use-intl';

import { tell } from '../../../ui/Toasts';
import { useAction } from '../../shell/action';
import { RunFlowDocument } from './query';

interface Place {
  id: string;
  enabledManual: boolean;
  enabledMonitoring: boolean;
}

interface Groups {
  manualDetectionGroup: { id: string } | null;
  autoDetectionGroup: { id: string } | null;
}

/** The group in which a flow can be run; undefined if it is part of none. */
export function groupOf(flow: Place, website: Groups | null): string | undefined {
  if (flow.enabledManual && website?.manualDetectionGroup != null) {
    return website.manualDetectionGroup.id;
  }
  return flow.enabledMonitoring ? website?.autoDetectionGroup?.id : undefined;
}

/** The groups of a website, whose screenshots show its pages. */
export function groupsOf(website: Groups | null): string[] {
  return [website?.manualDetectionGroup?.id, website?.autoDetectionGroup?.id].filter((id) => id !== undefined);
}

/** Runs a flow alone, as part of a group. */
export function useRunning(): { run: (flowId: string, groupId: string) => Promise<boolean>; busy: boolean } {
  const t = useTranslations('flows');
  const { act, busy } = useAction(RunFlowDocument);
  const run = async (flowId: string, groupId: string) => {
    const data = await act({ input: { groupIds: [groupId], flowIds: [flowId], scType: 'PRE' } });
    if (data !== undefined) {
      tell({ title: t('running'), description: t('runningAbout', { count: data.takeScreenshots.amountScreenshots }) });
    }
    return data !== undefined;
  };
  return { run, busy };
}
