import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import css from './MoreSites.module.css';

/** That there are more sites than Home shows, and where they are. */
export function MoreSites({ count }: { count: number }) {
  const t = useTranslations('home');
  if (count <= 0) {
    return null;
  }
  return (
    <p className={css.more}>
      <Link to="/sites">{t('moreSites', { count })}</Link>
    </p>
  );
}
