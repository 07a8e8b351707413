import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import css from './Toasts.module.css';

const manager = Toast.createToastManager<{ action?: { label: string; run: () => void } }>();

interface Message {
  title: string;
  description?: string;
  tone?: 'plain' | 'problem';
  /** Something to do about it, such as undo. */
  action?: { label: string; run: () => void };
  /** Milliseconds that it stays; what offers an action stays longer. */
  stay?: number;
}

/** Tells what has just happened, without getting in the way. */
export function tell({ title, description, tone = 'plain', action, stay }: Message): void {
  const id = manager.add({
    title,
    description,
    type: tone,
    priority: tone === 'problem' ? 'high' : 'low',
    timeout: stay ?? (action === undefined ? 5_000 : 12_000),
    data:
      action === undefined
        ? {}
        : {
            action: {
              label: action.label,
              run: () => {
                manager.close(id);
                action.run();
              },
            },
          },
  });
}

function Messages({ dismiss }: { dismiss: string }) {
  const { toasts } = Toast.useToastManager<{ action?: { label: string; run: () => void } }>();
  // The library hides problems from screen readers until they have the focus, as it reads them out elsewhere; yet they can
  // be reached with Tab, and what can be reached must not be hidden.
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={css.toast} data-tone={toast.type} data-toast aria-hidden={false}>
      <div className={css.words}>
        <Toast.Title className={css.title} />
        <Toast.Description className={css.description} />
      </div>
      {toast.data?.action !== undefined && (
        <button type="button" className={css.action} onClick={toast.data.action.run}>
          {toast.data.action.label}
        </button>
      )}
      <Toast.Close className={css.close} aria-label={dismiss} aria-hidden={false}>
        <X aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Shows what is told; once around the whole page. */
export function Toasts({ dismiss, children }: { dismiss: string; children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={css.viewport}>
          <Messages dismiss={dismiss} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
