import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

import type { SelectionFilter } from '../../api/generated/graphql';
import { UrlPage } from './UrlPage';
import css from './UrlList.module.css';
import { pageSize, type Row, type UrlsGroup } from './query';

/** Height of a row in pixels, as UrlList.module.css has it. */
export const rowHeight = 56;

interface Props {
  group: UrlsGroup;
  filter: SelectionFilter;
  /** Changes when what is shown has to be asked for again. */
  round: number;
  editable: boolean;
  onOpen: (row: Row) => void;
  onFilter: (filter: { type?: string; category?: string }) => void;
}

/** All URLs that were found, however many: only the pages of a hundred in sight are asked for and drawn. */
export function UrlList({ group, filter, round, editable, onOpen, onFilter }: Props) {
  const t = useTranslations('group.urls');
  const total = group.urls.totalCount;
  const pages = Math.ceil(total / pageSize);
  const rowsOf = (page: number) => Math.min(pageSize, total - page * pageSize);
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [total]);
  const virtual = useWindowVirtualizer({
    count: pages,
    estimateSize: (page) => rowsOf(page) * rowHeight,
    overscan: 0,
    scrollMargin: margin,
  });
  return (
    <div ref={list} role="table" aria-label={t('label')} aria-rowcount={total + 1}>
      <div role="row" aria-rowindex={1} className={css.head}>
        <span role="columnheader">{t('page')}</span>
        <span role="columnheader" className={css.tags}>
          {t('tags')}
        </span>
        <span role="columnheader" className={css.captured}>
          {t('captured')}
        </span>
        <span role="columnheader">{t('desktop')}</span>
        <span role="columnheader">{t('mobile')}</span>
        <span role="columnheader">
          <span className="visually-hidden">{t('settings')}</span>
        </span>
      </div>
      <div role="rowgroup" className={css.pages} style={{ height: total * rowHeight }}>
        {virtual.getVirtualItems().map((item) => (
          <div key={item.key} role="presentation" className={css.page} style={{ transform: `translateY(${item.index * pageSize * rowHeight}px)` }}>
            <UrlPage
              group={group}
              filter={filter}
              page={item.index}
              rows={rowsOf(item.index)}
              round={round}
              editable={editable}
              onOpen={onOpen}
              onFilter={onFilter}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
