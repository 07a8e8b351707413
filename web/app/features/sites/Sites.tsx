import { getRouteApi, Link } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, buttonClass } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Search } from '../../../ui/Search';
import { Empty, Loading, Problem } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { explain } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { useMay } from '../../shell/viewer';
import { AddSite } from './AddSite';
import { SiteList } from './SiteList';
import { arrange, orders, type Order } from './order';
import { mostSites, SitesDocument } from './query';
import css from './Sites.module.css';

const route = getRouteApi('/sites');

/** Websites, and groups that belong to none. */
export function Sites() {
  const t = useTranslations('sites');
  const { q = '', order = 'needs' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useMay('EDIT');
  const [adding, setAdding] = useState(false);
  const { data, error, refresh } = useRefreshable({ query: SitesDocument });
  useLiveRefresh(
    [
      'GROUP_CREATED',
      'GROUP_UPDATED',
      'GROUP_DELETED',
      'WEBSITE_CREATED',
      'WEBSITE_UPDATED',
      'WEBSITE_DELETED',
      'BATCH_FINISHED',
      'COMPARISON_STATUS_NEW',
      'COMPARISON_STATUS_CHANGED',
      'RUN_MISSED',
    ],
    refresh,
  );
  if (!data) {
    return (
      <Page title={t('title')}>
        {error === undefined ? (
          <Loading label={t('loading')} />
        ) : (
          <Problem title={t('notLoaded')} message={explain(error)} retry={{ label: t('retry'), run: refresh }} />
        )}
      </Page>
    );
  }
  const { sites, sitesCount } = data.account.overview;
  const found = arrange(sites, q, order);
  return (
    <Page
      title={t('title')}
      about={t('count', { count: sitesCount })}
      actions={
        mayEdit && (
          <>
            <Link to="/start" className={buttonClass('plain')}>
              {t('guided')}
            </Link>
            <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          </>
        )
      }
    >
      <div className={css.bar}>
        <Search
          label={t('search')}
          text={q}
          onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        />
        <label className={css.order}>
          {t('order')}
          <select
            value={order}
            onChange={(event) => void navigate({ search: (old) => ({ ...old, order: event.target.value as Order }), replace: true })}
          >
            {orders.map((each) => (
              <option key={each} value={each}>
                {t(`orders.${each}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Panel flush>
        {found.length > 0 ? (
          <SiteList sites={found} />
        ) : (
          <Empty icon={<Globe aria-hidden="true" />} title={q === '' ? t('empty') : t('nothingFound', { text: q })}>
            {q === '' ? t('emptyAbout') : t('nothingFoundAbout')}
          </Empty>
        )}
      </Panel>
      {sitesCount > mostSites && <p className={css.more}>{t('more', { shown: mostSites, count: sitesCount })}</p>}
      <AddSite open={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}
