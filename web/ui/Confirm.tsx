import type { ReactNode } from 'react';

import { Button } from './Button';
import { Dialog } from './Dialog';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  about: ReactNode;
  /** The button that does it: a verb. */
  confirm: string;
  cancel: string;
  busy?: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ open, onClose, title, about, confirm, cancel, busy = false, onConfirm }: Props) {
  const actions = (
    <>
      <Button onClick={onClose}>{cancel}</Button>
      <Button look="danger" busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title} closeLabel={cancel} actions={actions}>
      {about}
    </Dialog>
  );
}
