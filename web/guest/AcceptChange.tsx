import { Check, Undo2 } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../ui/Button';
import { type Verdict, send } from './actions';
import type { Change } from './data';
import { useGuest } from './useGuest';
import { words } from './language';

interface Props {
  batch: string;
  change: Change;
  /** Comparisons have been approved, or are as they were again. */
  onChanged: (comparisons: readonly string[], approved: boolean) => void;
}

/** Approves a change on all pages of the batch, as far as they show nothing else. */
export function AcceptChange({ batch, change, onChanged }: Props) {
  const guest = useGuest();
  const [done, setDone] = useState<Verdict | null>(null);
  const accept = () =>
    guest.act(async (name) => {
      const verdict = await send<Verdict>(`${batch}/accept`, { name, fingerprint: change.fingerprint });
      setDone(verdict);
      onChanged(verdict.changed, true);
    });
  const undo = (verdict: Verdict) =>
    guest.act(async (name) => {
      if (verdict.review !== null) {
        const undone = await send<Verdict>(`${batch}/undo`, { name, review: verdict.review });
        onChanged(undone.changed, false);
      }
      setDone(null);
    });
  if (change.open === 0 && done === null) {
    return <p className="quiet">{words.decidedEverywhere}</p>;
  }
  return (
    <>
      {done === null && change.accepted && <p className="quiet">{words.approvedButOpen}</p>}
      {done === null ? (
        <Button size="small" icon={<Check aria-hidden="true" />} busy={guest.busy} onClick={accept}>
          {words.approveEverywhere}
        </Button>
      ) : (
        <div className="buttons">
          <p role="status">{outcome(done)}</p>
          <Button size="small" look="quiet" icon={<Undo2 aria-hidden="true" />} busy={guest.busy} onClick={() => undo(done)}>
            {words.undo}
          </Button>
        </div>
      )}
      {guest.problem !== '' && (
        <p className="problem" role="alert">
          {guest.problem}
        </p>
      )}
      {guest.dialog}
    </>
  );
}

/** What accepting a change came to: pages that show more than what was accepted stay open. */
function outcome({ changed, stillOpen }: Verdict): string {
  if (stillOpen === 0) {
    return words.approved(changed.length);
  }
  return `${changed.length === 0 ? words.accepted : words.approved(changed.length)} ${words.stillOpen(stillOpen)}`;
}
