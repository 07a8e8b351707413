import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Search } from '../../../ui/Search';
import { Empty } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { useMay } from '../../shell/viewer';
import { AllDevices } from './AllDevices';
import { Frame } from './Frame';
import css from './Group.module.css';
import { Overrides } from './Overrides';
import { PasteUrls } from './PasteUrls';
import { SitemapImport } from './SitemapImport';
import { UrlList } from './UrlList';
import { GroupUrlsDocument, type Row } from './query';

const route = getRouteApi('/groups/$groupId');

/** The URLs of a group: found, switched, added, removed. */
export function UrlsTab({ groupId }: { groupId: string }) {
  const t = useTranslations('group.urls');
  const { q, type, category } = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useMay('EDIT');
  const [adding, setAdding] = useState<'paste' | 'sitemap'>();
  const [chosen, setChosen] = useState<Row>();
  const filter = { search: q ?? null, type: type ?? null, category: category ?? null };
  const [{ data, error, stale }, ask] = useQuery({ query: GroupUrlsDocument, variables: { id: groupId, page: 1, filter } });
  // Lists are not rewritten by what mutations answer: pages that are shown ask again.
  const [round, setRound] = useState(0);
  const refresh = () => {
    ask({ requestPolicy: 'network-only' });
    setRound((last) => last + 1);
  };
  useLiveRefresh(['GROUP_UPDATED', 'URL_UPDATED', 'URL_DELETED', 'BATCH_FINISHED'], refresh);
  const group = data?.group ?? undefined;
  const narrow = (search: { q?: string | undefined; type?: string | undefined; category?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...search }), replace: true });
  const filtered = q !== undefined || type !== undefined || category !== undefined;
  return (
    <Frame groupId={groupId} tab="urls" group={group} error={error} retry={refresh}>
      {group !== undefined && (
        <>
          <div className={css.bar}>
            <div className={css.filters}>
              <Search label={t('search')} text={q ?? ''} onChange={(text) => narrow({ q: text || undefined })} />
              {([['type', type], ['category', category]] as const).map(
                ([key, value]) =>
                  value !== undefined && (
                    <Button key={key} size="small" onClick={() => narrow({ [key]: undefined })} title={t('clear')}>
                      {t(key, { value })} ×
                    </Button>
                  ),
              )}
            </div>
            {mayEdit && (
              <div className={css.filters}>
                <AllDevices group={group} onDone={refresh} />
                <Button onClick={() => setAdding('sitemap')}>{t('sitemap')}</Button>
                <Button look={group.urlsCount === 0 ? 'primary' : 'plain'} onClick={() => setAdding('paste')}>
                  {t('paste')}
                </Button>
              </div>
            )}
          </div>
          <Panel title={t('found', { count: group.urls.totalCount, filtered: String(filtered) })} flush>
            {group.urls.totalCount > 0 ? (
              <UrlList
                key={`${q ?? ''} ${type ?? ''} ${category ?? ''}`}
                group={group}
                filter={filter}
                round={round}
                editable={mayEdit}
                onOpen={setChosen}
                onFilter={narrow}
              />
            ) : (
              <Empty title={filtered ? t('nothingFound') : t('empty')}>{filtered ? t('nothingFoundAbout') : t('emptyAbout')}</Empty>
            )}
          </Panel>
          <span className="visually-hidden" role="status">
            {stale ? t('searching') : ''}
          </span>
          <PasteUrls open={adding === 'paste'} groupId={groupId} onClose={() => setAdding(undefined)} onAdded={refresh} />
          <SitemapImport open={adding === 'sitemap'} groupId={groupId} onClose={() => setAdding(undefined)} onAdded={refresh} />
          {chosen !== undefined && (
            <Overrides key={chosen.urlId} row={chosen} editable={mayEdit} groupThreshold={group.threshold} onClose={() => setChosen(undefined)} onRemoved={refresh} />
          )}
        </>
      )}
    </Frame>
  );
}
