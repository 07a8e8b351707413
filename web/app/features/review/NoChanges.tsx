import { CircleCheck, CircleDashed } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import type { RunHead } from '../runs/query';

type Reason = 'notYet' | 'onlyTaken' | 'notCompared' | 'reviewed' | 'whereCompared' | 'asFarAsSeen' | 'nowhere';

/** What stands in the place of a run's changes if there are none. It claims no more than was compared and seen. */
export function NoChanges({ run }: { run: RunHead }) {
  const t = useTranslations('review.noChanges');
  const reason = reasonOf(run);
  const Icon = reason === 'nowhere' || reason === 'reviewed' ? CircleCheck : CircleDashed;
  return (
    <Panel>
      <Empty icon={<Icon aria-hidden="true" />} title={t(`${reason}.title`)}>
        {t(`${reason}.about`, { failed: run.queuesCount.failed, unseen: run.unseenCount })}
      </Empty>
    </Panel>
  );
}

function reasonOf({ finishedAt, type, comparisonsCount, queuesCount, unseenCount }: RunHead): Reason {
  const { ok, new: open, falsePositive, toFix, aboveThreshold } = comparisonsCount;
  if (finishedAt === null) {
    return 'notYet';
  }
  if (ok + open + falsePositive + toFix === 0) {
    return type === 'PRE' ? 'onlyTaken' : 'notCompared';
  }
  if (aboveThreshold > 0) {
    return 'reviewed'; // what is open would be listed
  }
  if (queuesCount.failed > 0) {
    return 'whereCompared';
  }
  return unseenCount > 0 ? 'asFarAsSeen' : 'nowhere';
}
