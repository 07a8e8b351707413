import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { buttonClass } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Empty } from '../../ui/States';

/** An address that names nothing, or nothing that this account has. */
export function Missing() {
  const t = useTranslations('problems');
  return (
    <Page title={t('missing')}>
      <Empty
        title={t('nothingHere')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('goHome')}
          </Link>
        }
      >
        {t('nothingHereAbout')}
      </Empty>
    </Page>
  );
}
