import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Page } from '../../ui/Page';
import { Problem } from '../../ui/States';

/** A screen that failed: the others go on. After an upgrade the parts of an old page are gone, which reloading mends. */
export function ScreenError({ error }: ErrorComponentProps) {
  const t = useTranslations('problems');
  return (
    <Page title={t('screenFailed')}>
      <Problem
        title={t('screenFailedAbout')}
        message={error instanceof Error ? error.message : String(error)}
        retry={{ label: t('reload'), run: () => window.location.reload() }}
      />
    </Page>
  );
}
