import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import css from './Dialog.module.css';
import { join } from './join';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** A sentence below the title. */
  about?: ReactNode;
  wide?: boolean;
  /** Nothing in it takes the focus, so it does itself, to be scrolled with keys. */
  textOnly?: boolean;
  closeLabel: string;
  children: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
}

/** A window over the screen; Escape and a click beside it close it. */
export function Dialog({ open, onOpenChange, title, about, wide = false, textOnly = false, closeLabel, children, actions }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={join(css.popup, wide && css.wide)}>
          <header className={css.header}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close className={css.close} aria-label={closeLabel}>
              <X aria-hidden="true" />
            </Base.Close>
          </header>
          {about !== undefined && <Base.Description className={css.about}>{about}</Base.Description>}
          <div className={css.body} tabIndex={textOnly ? 0 : undefined}>
            {children}
          </div>
          {actions !== undefined && <footer className={css.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
