import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useMay } from '../../shell/viewer';
import { Frame } from './Frame';
import css from './Group.module.css';
import { ListTools } from './ListTools';
import { PasteUrls } from './PasteUrls';
import { SitemapImport } from './SitemapImport';
import { UrlDialog } from './UrlDialog';
import { UrlList } from './UrlList';
import { isFiltered, listingOf } from './listing';
import { GroupUrlsDocument, type Row } from './query';
import type { GroupSearch } from './search';

const route = getRouteApi('/groups/$groupId');

/** The URLs of a group: found, sorted, chosen, edited, added. */
export function UrlsTab({ groupId }: { groupId: string }) {
  const t = useTranslations('group.urls');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useMay('EDIT');
  const [adding, setAdding] = useState<'paste' | 'sitemap'>();
  const [opened, setOpened] = useState<Row>();
  const listing = listingOf(search);
  const {
    data,
    error,
    stale,
    refresh: refreshFirst,
  } = useRefreshable({ query: GroupUrlsDocument, variables: { id: groupId, ...listing } });
  // Lists are not rewritten by what mutations answer: pages that are shown ask again.
  const [round, setRound] = useState(0);
  const refresh = () => {
    refreshFirst();
    setRound((last) => last + 1);
  };
  useLiveRefresh(['GROUP_UPDATED', 'URL_UPDATED', 'URL_DELETED', 'BATCH_FINISHED'], refresh);
  const group = data?.group ?? undefined;
  const tags = data?.tags ?? [];
  const narrow = (change: Partial<GroupSearch>) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const filtered = isFiltered(search);
  const title = t('found', { count: group?.urls.totalCount ?? 0, filtered: String(filtered) });
  return (
    <Frame groupId={groupId} tab="urls" group={group} error={error} retry={refresh}>
      {group !== undefined && (
        <>
          <div className={css.bar}>
            <ListTools groupId={groupId} search={search} tags={tags} onChange={narrow} />
            {mayEdit && (
              <div className={css.filters}>
                <Button onClick={() => setAdding('sitemap')}>{t('sitemap')}</Button>
                <Button look={group.urlsCount === 0 ? 'primary' : 'plain'} onClick={() => setAdding('paste')}>
                  {t('paste')}
                </Button>
              </div>
            )}
          </div>
          {group.urls.totalCount > 0 ? (
            <UrlList
              key={JSON.stringify(listing)}
              title={title}
              group={group}
              listing={listing}
              tags={tags}
              round={round}
              editable={mayEdit}
              onOpen={setOpened}
              onFilter={narrow}
              onEdited={refresh}
            />
          ) : (
            <Panel title={title} flush>
              <Empty title={filtered ? t('nothingFound') : t('empty')}>{filtered ? t('nothingFoundAbout') : t('emptyAbout')}</Empty>
            </Panel>
          )}
          <span className="visually-hidden" role="status">
            {stale ? t('searching') : ''}
          </span>
          <PasteUrls open={adding === 'paste'} groupId={groupId} onClose={() => setAdding(undefined)} onAdded={refresh} />
          <SitemapImport open={adding === 'sitemap'} groupId={groupId} onClose={() => setAdding(undefined)} onAdded={refresh} />
          {opened !== undefined && (
            <UrlDialog
              key={opened.urlId}
              row={opened}
              tags={tags}
              editable={mayEdit}
              groupThreshold={group.threshold}
              onClose={() => setOpened(undefined)}
              onChanged={refresh}
            />
          )}
        </>
      )}
    </Frame>
  );
}
