import { useEffect, useRef, useState } from 'react';

import css from './Search.module.css';

const pause = 250; // milliseconds without a key until the search begins

/** A search whose text is in the address: it follows the address, and changes it when typing pauses. */
export function Search({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [shown, setShown] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  if (shown !== text) {
    setShown(text);
    setTyped(text);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      className={css.search}
      placeholder={label}
      aria-label={label}
      maxLength={255}
      value={typed}
      onChange={(event) => {
        const next = event.target.value;
        setTyped(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(next.trim()), pause);
      }}
    />
  );
}
