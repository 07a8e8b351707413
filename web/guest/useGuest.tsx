import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';

import { Button } from '../ui/Button';
import { guestName, keepGuestName, longestName } from './name';
import { words } from './language';

interface Guest {
  readonly name: string;
  readonly busy: boolean;
  /** What went wrong with the last action; '' if nothing did. */
  readonly problem: string;
  /** Does something in the guest's name, which is asked for once. */
  readonly act: (action: (name: string) => Promise<void>) => void;
  readonly rename: () => void;
  /** The dialog that asks for the name: it has to be on the page. */
  readonly dialog: ReactNode;
}

/** A guest who gives their name before the first thing they do. */
export function useGuest(): Guest {
  const [name, setName] = useState(guestName);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = useRef<((name: string) => Promise<void>) | null>(null);

  const run = async (action: (name: string) => Promise<void>, as: string) => {
    setBusy(true);
    setProblem('');
    try {
      await action(as);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const ask = (action: ((name: string) => Promise<void>) | null) => {
    waiting.current = action;
    dialog.current?.showModal();
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get('name')).trim();
    if (given === '') {
      return;
    }
    keepGuestName(given);
    setName(given);
    dialog.current?.close();
    const action = waiting.current;
    waiting.current = null;
    if (action) {
      void run(action, given);
    }
  };
  return {
    name,
    busy,
    problem,
    act: (action) => {
      const known = guestName(); // another part of the page may have asked meanwhile
      if (known === '') {
        ask(action);
      } else {
        setName(known);
        void run(action, known);
      }
    },
    rename: () => ask(null),
    dialog: (
      <dialog ref={dialog} className="ask" aria-label={words.yourName}>
        <form onSubmit={submit}>
          <label>
            {words.yourName}
            <input name="name" defaultValue={name} maxLength={longestName} required autoComplete="name" />
          </label>
          <p>{words.nameAbout}</p>
          <div className="buttons">
            <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
            <Button type="submit" look="primary">
              {words.proceed}
            </Button>
          </div>
        </form>
      </dialog>
    ),
  };
}
