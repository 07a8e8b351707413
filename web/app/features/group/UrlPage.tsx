import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';

import { useRefreshable } from '../../api/refreshable';
import { Skeleton } from '../../../ui/States';
import { UrlRow } from './UrlRow';
import css from './UrlList.module.css';
import { isChosen, type Choosing } from './chosen';
import type { Listing } from './listing';
import { pageSize, UrlPageDocument, type Row, type UrlsGroup } from './query';
import type { GroupSearch } from './search';

interface Props {
  group: UrlsGroup;
  listing: Listing;
  /** From 0. */
  page: number;
  /** How many rows it has. */
  rows: number;
  round: number;
  /** Undefined where nothing may be edited. */
  choosing: Choosing | undefined;
  onOpen: (row: Row) => void;
  onFilter: (change: Partial<GroupSearch>) => void;
}

/** A hundred rows. Those of the first page have come with the screen. */
export function UrlPage({ group, listing, page, rows, round, choosing, onOpen, onFilter }: Props) {
  const t = useTranslations('group.urls');
  const first = page === 0;
  const { data, error, refresh } = useRefreshable({
    query: UrlPageDocument,
    variables: { id: group.id, page: page + 1, ...listing },
    requestPolicy: 'cache-first',
    pause: first,
  });
  const seen = useRef(round);
  useEffect(() => {
    if (!first && seen.current !== round) {
      refresh();
    }
    seen.current = round;
  }, [first, round, refresh]);
  const nodes = first ? group.urls.nodes : data?.groupUrls.nodes;
  if (nodes === undefined) {
    return (
      <div role="row" aria-busy={error === undefined} className={css.pending}>
        <span role="cell">{error === undefined ? <Skeleton height={40} /> : t('notLoaded')}</span>
      </div>
    );
  }
  return nodes
    .slice(0, rows)
    .map((row, index) => (
      <UrlRow
        key={row.urlId}
        row={row}
        index={page * pageSize + index}
        chosen={choosing !== undefined && isChosen(choosing.chosen, row.urlId)}
        onChoose={choosing && ((shift) => choosing.toggle(row.urlId, shift))}
        onOpen={onOpen}
        onFilter={onFilter}
      />
    ));
}
