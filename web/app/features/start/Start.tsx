import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { buttonClass } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { useMay } from '../../shell/viewer';
import { SitemapPages } from '../group/SitemapImport';
import { Address } from './Address';
import { FirstRun } from './FirstRun';
import css from './Start.module.css';

const route = getRouteApi('/start');

/** From an address to the first comparison. What was reached is in the address, so that reloading goes on from there. */
export function Start() {
  const t = useTranslations('start');
  const { group, domain, reading, batch } = route.useSearch();
  const mayEdit = useMay('EDIT');
  const step = group === undefined ? 1 : batch === undefined && reading !== undefined ? 2 : 3;
  return (
    <Page title={t('title')} about={t('about')}>
      <ol className={css.steps} aria-label={t('steps')}>
        {([1, 2, 3] as const).map((each) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            {t(`step${each}`)}
          </li>
        ))}
      </ol>
      <Panel>
        {!mayEdit ? (
          <p>{t('mayNot')}</p>
        ) : group === undefined ? (
          <Address />
        ) : step === 2 && reading !== undefined ? (
          <Pages group={group} domain={domain ?? ''} reading={reading} />
        ) : (
          <FirstRun groupId={group} batchId={batch} />
        )}
      </Panel>
    </Page>
  );
}

/** Proposes the pages that were found; when there are none, the page of the address is there already. */
function Pages({ group, domain, reading }: { group: string; domain: string; reading: string }) {
  const t = useTranslations('start');
  const go = { to: '/start', search: { group, domain } } as const;
  const navigate = route.useNavigate();
  return (
    <>
      <p>{t('pagesAbout')}</p>
      <SitemapPages importId={reading} groupId={group} domain={domain} onAdded={() => void navigate(go)} />
      <p className={css.on}>
        <Link {...go} className={buttonClass('plain')}>
          {t('onlyThis')}
        </Link>
      </p>
    </>
  );
}
