import { Check, MessageSquare, Undo2, Wrench } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../ui/Button';
import { type Verdict, send } from './actions';
import { Comments } from './Comments';
import type { GuestData } from './data';
import { useGuest } from './useGuest';
import { words } from './language';
import type { Status } from './words';

interface Undoable {
  readonly review: string;
  readonly before: Status;
}

/** What a guest may do with a comparison: decide about it, take that back, and talk about it. */
export function Decide({ guest: data, onStatus }: { guest: GuestData; onStatus: (words: string) => void }) {
  const guest = useGuest();
  const [status, setStatus] = useState<Status>(data.status ?? 'new');
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const [comments, setComments] = useState(data.comments ?? []);
  const [talking, setTalking] = useState(false);
  const become = (next: Status) => {
    setStatus(next);
    onStatus(words.status[next]);
  };
  const judge = (next: Status) =>
    guest.act(async (name) => {
      const verdict = await send<Verdict>(`${data.actions}/verdict`, { name, status: next });
      if (verdict.review !== null) {
        setUndoable({ review: verdict.review, before: status });
      }
      become(next);
    });
  const undo = ({ review, before }: Undoable) =>
    guest.act(async (name) => {
      const undone = await send<Verdict>(`${data.batch}/undo`, { name, review });
      setUndoable(null);
      if (undone.since > 0) {
        throw new Error(words.decidedSince);
      }
      become(before);
    });
  return (
    <>
      <div className="buttons" role="group" aria-label={words.decision}>
        <Button
          size="small"
          icon={<Check aria-hidden="true" />}
          aria-pressed={status === 'ok'}
          busy={guest.busy}
          onClick={() => judge('ok')}
        >
          {words.approve}
        </Button>
        <Button
          size="small"
          icon={<Wrench aria-hidden="true" />}
          aria-pressed={status === 'to_fix'}
          busy={guest.busy}
          onClick={() => judge('to_fix')}
        >
          {words.toFix}
        </Button>
        {undoable && (
          <Button size="small" look="quiet" icon={<Undo2 aria-hidden="true" />} busy={guest.busy} onClick={() => undo(undoable)}>
            {words.undo}
          </Button>
        )}
        <Button size="small" icon={<MessageSquare aria-hidden="true" />} aria-expanded={talking} onClick={() => setTalking(!talking)}>
          {words.comments}
          {comments.length > 0 && ` (${comments.length})`}
        </Button>
      </div>
      {guest.problem !== '' && (
        <p className="problem" role="alert">
          {guest.problem}
        </p>
      )}
      {talking && (
        <Comments
          address={`${data.actions}/comment`}
          comments={comments}
          guest={guest}
          onAdded={(one) => setComments([...comments, one])}
        />
      )}
      {guest.dialog}
    </>
  );
}
