import type { ReactNode } from 'react';

import { Button } from './Button';
import css from './States.module.css';

/** Where something will be: of its size, so that nothing jumps when it comes. */
export function Skeleton({ height, width = '100%' }: { height: number; width?: number | string }) {
  return <span className={css.skeleton} style={{ height, width }} aria-hidden="true" />;
}

/** What a screen shows until its first answer. */
export function Loading({ label, rows = 6 }: { label: string; rows?: number }) {
  return (
    <div role="status" aria-label={label} className={css.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={40} />
      ))}
    </div>
  );
}

interface NoteProps {
  title: string;
  icon?: ReactNode;
  children?: ReactNode;
  /** The way on: a button or a link. */
  action?: ReactNode;
}

/** Nothing here, and what to do about it. */
export function Empty({ title, icon, children, action }: NoteProps) {
  return (
    <div className={css.note}>
      {icon !== undefined && <span className={css.icon}>{icon}</span>}
      <h2 className={css.title}>{title}</h2>
      {children !== undefined && <p className={css.text}>{children}</p>}
      {action}
    </div>
  );
}

interface ProblemProps {
  /** What did not work. */
  title: string;
  /** Why, and what to do: the server's sentence. */
  message: string;
  retry?: { label: string; run: () => void };
}

/** Something did not work. */
export function Problem({ title, message, retry }: ProblemProps) {
  return (
    <div className={css.note} role="alert">
      <h2 className={css.title}>{title}</h2>
      <p className={css.text}>{message}</p>
      {retry !== undefined && <Button onClick={retry.run}>{retry.label}</Button>}
    </div>
  );
}
