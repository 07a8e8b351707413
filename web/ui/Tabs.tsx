import type { ReactNode } from 'react';

import css from './Tabs.module.css';

/** The parts of a screen: links, because every part has an address. The current one has aria-current. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
