import { Link, Outlet } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Page } from '../../../ui/Page';
import { Tabs } from '../../../ui/Tabs';
import { useMay } from '../../shell/viewer';

/** The settings of the account, each kind at an address of its own. */
export function Settings() {
  const t = useTranslations('settings');
  const mayOwn = useMay('OWN');
  return (
    <Page title={t('title')}>
      <Tabs label={t('title')}>
        <Link to="/settings/account">{t('parts.account')}</Link>
        {mayOwn && <Link to="/settings/branding">{t('parts.branding')}</Link>}
        <Link to="/settings/people">{t('parts.people')}</Link>
        {mayOwn && <Link to="/settings/tokens">{t('parts.tokens')}</Link>}
        <Link to="/settings/tags">{t('parts.tags')}</Link>
        <Link to="/settings/webhooks">{t('parts.webhooks')}</Link>
        <Link to="/settings/subaccounts">{t('parts.subaccounts')}</Link>
        <Link to="/settings/usage">{t('parts.usage')}</Link>
        <Link to="/settings/mails">{t('parts.mails')}</Link>
        {mayOwn && <Link to="/settings/audit">{t('parts.audit')}</Link>}
      </Tabs>
      <Outlet />
    </Page>
  );
}
