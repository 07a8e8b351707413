import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import css from './Flows.module.css';

interface Props {
  total: number;
  perPage: number;
  page: number;
  onChange: (page: number) => void;
}

/** The way through more than one page has. */
export function Pager({ total, perPage, page, onChange }: Props) {
  const t = useTranslations('flows.pages');
  const last = Math.ceil(total / perPage);
  if (last <= 1) {
    return null;
  }
  return (
    <nav className={css.pages} aria-label={t('label')}>
      <Button size="small" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        {t('previous')}
      </Button>
      <span>{t('page', { page, last })}</span>
      <Button size="small" disabled={page >= last} onClick={() => onChange(page + 1)}>
        {t('next')}
      </Button>
    </nav>
  );
}
