import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Panel } from '../../../ui/Panel';
import css from './Website.module.css';
import type { Culprit } from './query';

/** The updates that may have caused what changed in the last run, likeliest first. */
export function Culprits({ culprits }: { culprits: readonly Culprit[] }) {
  const t = useTranslations('website.culprits');
  return (
    <Panel title={t('title')}>
      <ul className={css.culprits}>
        {culprits.map((culprit) => (
          <li key={`${culprit.kind} ${culprit.slug}`}>
            <strong>{culprit.name}</strong>{' '}
            <Badge>
              {t(culprit.kind)} {culprit.fromVersion ?? '?'} → {culprit.toVersion ?? '?'}
            </Badge>
            <p className={css.quiet}>{culprit.sentence}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
