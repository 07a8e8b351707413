import { useEffect, type ReactNode } from 'react';

import css from './Page.module.css';

interface Props {
  /** Of the browser's tab, and of the heading unless that says more. */
  title: string;
  heading?: ReactNode;
  /** A sentence or a line of facts below the heading. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its heading, what can be done, and its content. */
export function Page({ title, heading, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Afterimage`;
  }, [title]);
  return (
    <div className={css.page}>
      <header className={css.header}>
        <div className={css.words}>
          <h1 className={css.heading}>{heading ?? title}</h1>
          {about !== undefined && <div className={css.about}>{about}</div>}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
