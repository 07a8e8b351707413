import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { useKeys } from '../../shell/keys';
import { BulkBar } from './BulkBar';
import { UrlPage } from './UrlPage';
import css from './UrlList.module.css';
import { countOf, none, useChoosing } from './chosen';
import type { Listing } from './listing';
import { pageSize, type Row, type Tag, type UrlsGroup } from './query';
import { focusRow, pressInRow } from './rows';
import type { GroupSearch } from './search';

/** Height of a row in pixels, as UrlList.module.css has it. */
export const rowHeight = 56;

interface Props {
  title: string;
  group: UrlsGroup;
  listing: Listing;
  tags: readonly Tag[];
  /** Changes when what is shown has to be asked for again. */
  round: number;
  editable: boolean;
  onOpen: (row: Row) => void;
  onFilter: (change: Partial<GroupSearch>) => void;
  onEdited: () => void;
}

/** All URLs that were found, however many: only the pages of a hundred in sight are asked for and drawn. */
export function UrlList({ title, group, listing, tags, round, editable, onOpen, onFilter, onEdited }: Props) {
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
  const choosing = useChoosing();
  const count = countOf(choosing.chosen, total);
  const chooseAll = (all: boolean) => choosing.set({ ...none, all });
  useKeys({
    j: () => focusRow(1),
    k: () => focusRow(-1),
    e: () => pressInRow('settings'),
    ...(editable && { x: () => pressInRow('choose'), a: () => chooseAll(true) }),
    ...(count > 0 && { Escape: () => chooseAll(false) }),
  });
  return (
    <>
      <Panel title={title} flush>
        <div ref={list} role="table" aria-label={t('label')} aria-rowcount={total + 1}>
          <div role="row" aria-rowindex={1} className={css.head}>
            <span role="columnheader">
              {editable && (
                <input
                  type="checkbox"
                  className={css.box}
                  aria-label={t('chooseAll', { count: total })}
                  title={t('chooseAll', { count: total })}
                  checked={count === total}
                  ref={(box) => {
                    if (box !== null) {
                      box.indeterminate = count > 0 && count < total;
                    }
                  }}
                  onChange={() => chooseAll(count < total)}
                />
              )}
            </span>
            <span role="columnheader">{t('page')}</span>
            <span role="columnheader" className={css.tags}>
              {t('tags')}
            </span>
            <span role="columnheader" className={css.time}>
              {t('changed')}
            </span>
            <span role="columnheader" className={css.time}>
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
              <div
                key={item.key}
                role="presentation"
                className={css.page}
                style={{ transform: `translateY(${item.index * pageSize * rowHeight}px)` }}
              >
                <UrlPage
                  group={group}
                  listing={listing}
                  page={item.index}
                  rows={rowsOf(item.index)}
                  round={round}
                  choosing={editable ? choosing : undefined}
                  onOpen={onOpen}
                  onFilter={onFilter}
                />
              </div>
            ))}
          </div>
        </div>
      </Panel>
      {count > 0 && (
        <BulkBar
          groupId={group.id}
          chosen={choosing.chosen}
          count={count}
          filter={listing.filter}
          tags={tags}
          onClear={() => chooseAll(false)}
          onEdited={onEdited}
        />
      )}
    </>
  );
}
