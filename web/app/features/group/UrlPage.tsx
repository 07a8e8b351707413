import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Skeleton } from '../../../ui/States';
import type { SelectionFilter } from '../../api/generated/graphql';
import { UrlRow } from './UrlRow';
import css from './UrlList.module.css';
import { GroupUrlsDocument, pageSize, type Row, type UrlsGroup } from './query';

interface Props {
  group: UrlsGroup;
  filter: SelectionFilter;
  /** From 0. */
  page: number;
  /** How many rows it has. */
  rows: number;
  round: number;
  editable: boolean;
  onOpen: (row: Row) => void;
  onFilter: (filter: { type?: string; category?: string }) => void;
}

/** A hundred rows. Those of the first page have come with the screen. */
export function UrlPage({ group, filter, page, rows, round, editable, onOpen, onFilter }: Props) {
  const t = useTranslations('group.urls');
  const first = page === 0;
  const [{ data, error }, ask] = useQuery({
    query: GroupUrlsDocument,
    variables: { id: group.id, page: page + 1, filter },
    requestPolicy: 'cache-first',
    pause: first,
  });
  const seen = useRef(round);
  const refresh = useEffectEvent(() => {
    if (!first && seen.current !== round) {
      ask({ requestPolicy: 'network-only' });
    }
    seen.current = round;
  });
  useEffect(() => refresh(), [round]);
  const nodes = first ? group.urls.nodes : data?.group?.urls.nodes;
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
      <UrlRow key={row.urlId} row={row} index={page * pageSize + index + 2} editable={editable} onOpen={onOpen} onFilter={onFilter} />
    ));
}
