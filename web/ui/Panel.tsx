import { useId, type ReactNode } from 'react';

import css from './Panel.module.css';
import { join } from './join';

interface Props {
  /** Names the region for screen readers, too. */
  title?: ReactNode;
  actions?: ReactNode;
  /** Without padding: for tables and lists that reach the border. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a screen on a surface of its own. */
export function Panel({ title, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={css.header}>
          <h2 className={css.title} id={id}>
            {title}
          </h2>
          {actions}
        </header>
      )}
      <div className={join(flush ? css.flush : css.body)}>{children}</div>
    </section>
  );
}
