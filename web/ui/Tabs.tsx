import { useEffect, useRef, type ReactNode } from 'react';

import css from './Tabs.module.css';

/** The parts of a screen: links, because every part has an address. The current one has aria-current. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  // On a phone the row is longer than the screen: the current part is brought into sight, without moving the page.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current && current !== shown.current) {
      shown.current = current;
      row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - (row.current.clientWidth - current.clientWidth) / 2;
    }
  });
  return (
    <nav ref={row} className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
