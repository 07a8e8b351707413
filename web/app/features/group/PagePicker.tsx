import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient, useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Loading } from '../../../ui/States';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import { useAction } from '../../shell/action';
import css from './Group.module.css';
import { AddUrlsDocument, FoundPagesDocument, pageSize } from './query';

interface Props {
  groupId: string;
  /** Text that the addresses have. */
  search: string;
  onAdded: () => void;
}

const mostAtOnce = 10_000; // URLs that one call may add

/** Pages of the account to add to a group: some of the first hundred, or all. */
export function PagePicker({ groupId, search, onAdded }: Props) {
  const t = useTranslations('group.picker');
  const client = useClient();
  const [{ data }] = useQuery({ query: FoundPagesDocument, variables: { search, page: 1 }, requestPolicy: 'network-only' });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [collecting, setCollecting] = useState(false);
  const { act, busy } = useAction(AddUrlsDocument);
  if (data === undefined) {
    return <Loading label={t('loading')} />;
  }
  const { nodes, totalCount } = data.urls;
  const chosen = nodes.filter((page) => !left.has(page.id));

  const add = async (ids: readonly string[]) => {
    const result = await act({ groupId, urls: ids.map((id) => ({ id })) });
    if (result !== undefined) {
      tell({ title: t('added', { count: result.addUrlsToGroup.count }) });
      onAdded();
    }
  };

  const addAll = async () => {
    setCollecting(true);
    const ids = nodes.map((page) => page.id);
    for (let page = 2; ids.length < Math.min(totalCount, mostAtOnce) && page <= mostAtOnce / pageSize; page += 1) {
      const next = await client.query(FoundPagesDocument, { search, page }, { requestPolicy: 'network-only' }).toPromise();
      if (next.error !== undefined || next.data === undefined) {
        tell({ title: next.error === undefined ? '' : explain(next.error), tone: 'problem' });
        setCollecting(false);
        return;
      }
      ids.push(...next.data.urls.nodes.map((node) => node.id));
    }
    setCollecting(false);
    await add(ids);
  };

  const toggle = (id: string, on: boolean) => {
    const next = new Set(left);
    if (on) {
      next.delete(id);
    } else {
      next.add(id);
    }
    setLeft(next);
  };

  return (
    <>
      <ul className={css.pages} aria-label={t('pages')}>
        {nodes.map((page) => (
          <li key={page.id}>
            <label>
              <input type="checkbox" checked={!left.has(page.id)} onChange={(event) => toggle(page.id, event.target.checked)} />
              {page.address}
            </label>
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button look="primary" busy={busy} disabled={chosen.length === 0} onClick={() => void add(chosen.map((page) => page.id))}>
          {t('add', { count: chosen.length })}
        </Button>
        {totalCount > nodes.length && (
          <Button busy={busy || collecting} onClick={() => void addAll()}>
            {t('addAll', { count: Math.min(totalCount, mostAtOnce) })}
          </Button>
        )}
      </div>
    </>
  );
}
