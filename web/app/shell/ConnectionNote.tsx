import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';

import { connection } from '../api/live';
import { useStore } from '../api/store';
import css from './ConnectionNote.module.css';

const patience = 2_000; // milliseconds; shorter interruptions are nobody's concern

/** Says that what is shown may be old, while there is no connection. */
export function ConnectionNote() {
  const t = useTranslations('shell');
  const state = useStore(connection);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (state !== 'interrupted') {
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), patience);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [state]);
  return (
    <div role="status" className={css.place}>
      {late && <p className={css.note}>{t('reconnecting')}</p>}
    </div>
  );
}
