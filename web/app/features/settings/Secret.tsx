import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { tell } from '../../../ui/Toasts';
import css from './Settings.module.css';

/** A secret that is shown once: to be copied before the window is closed. */
export function Secret({ about, text, done, onDone }: { about: string; text: string; done: string; onDone: () => void }) {
  const t = useTranslations('settings');
  const copy = () => {
    // Without a secure connection there is no clipboard; the text can be selected.
    void navigator.clipboard?.writeText(text).then(() => tell({ title: t('copied') }));
  };
  return (
    <>
      <p>{about}</p>
      <code className={css.secret}>{text}</code>
      <span className={css.buttons}>
        <Button onClick={copy}>{t('copy')}</Button>
        <Button look="primary" onClick={onDone}>
          {done}
        </Button>
      </span>
    </>
  );
}
