import { useTranslations } from 'use-intl';

import { tell } from '../../../ui/Toasts';
import { useAction } from '../../shell/action';
import { TakeScreenshotsDocument } from './query';

/** Starts runs of a group, of all that is selected in it or only of URLs with one of some tags. */
export function useTaking(groupId: string): { start: (kind: 'PRE' | 'POST', tags?: string[]) => Promise<void>; busy: boolean } {
  const t = useTranslations('group.actions');
  const { act, busy } = useAction(TakeScreenshotsDocument);
  const start = async (scType: 'PRE' | 'POST', tags?: string[]) => {
    const data = await act({ input: { groupIds: [groupId], scType, ...(tags !== undefined && { tags }) } });
    if (data !== undefined) {
      const { amountScreenshots: count, unpairedCount } = data.takeScreenshots;
      tell({ title: t('started', { count }), ...(unpairedCount > 0 && { description: t('unpaired', { count: unpairedCount }) }) });
    }
  };
  return { start, busy };
}
