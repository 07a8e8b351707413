import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import css from './Settings.module.css';

interface Props {
  /** What the pages are of. */
  label: string;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  /** The cursor that the shown page comes after. */
  after: string | undefined;
  onGo: (after: string | undefined) => void;
}

/** The ways through a list that is longer than a page; nothing for one that is not. */
export function More({ label, pageInfo, after, onGo }: Props) {
  const t = useTranslations('settings.pages');
  const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  if (after === undefined && next === null) {
    return null;
  }
  return (
    <nav className={css.more} aria-label={t('label', { list: label })}>
      {after !== undefined && (
        <Button size="small" onClick={() => onGo(undefined)}>
          {t('first')}
        </Button>
      )}
      {next !== null && (
        <Button size="small" onClick={() => onGo(next)}>
          {t('next')}
        </Button>
      )}
    </nav>
  );
}
