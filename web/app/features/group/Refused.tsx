import { useTranslations } from 'use-intl';

import css from './Group.module.css';
import type { RefusedLine } from './lines';

/** Lines that are no addresses: each with its number and the reason. */
export function Refused({ lines }: { lines: readonly RefusedLine[] }) {
  const t = useTranslations('group.paste');
  return (
    <ol className={css.refused} aria-label={t('refused')} tabIndex={0}>
      {lines.map((line) => (
        <li key={line.number}>
          {t('line', { number: line.number })}
          <code>{line.text}</code>
          <span>{line.rule === 'url' || line.rule === 'public' || line.rule === 'max' ? t(`rules.${line.rule}`) : line.message}</span>
        </li>
      ))}
    </ol>
  );
}
