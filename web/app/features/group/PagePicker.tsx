import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient, useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Loading } from '../../../ui/States';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import type { SuggestionReason } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import css from './Group.module.css';
import { AddUrlsDocument, FoundPagesDocument, pageSize, SuggestedPagesDocument } from './query';

interface Props {
  groupId: string;
  /** The site whose pages are shown: a host, with a port and a path where it has them. */
  domain: string;
  onAdded: () => void;
}

/** A page to choose, with what makes it worth checking if it is suggested. */
interface Choosable {
  id: string;
  address: string;
  reason?: SuggestionReason;
  /** How many pages like it are not suggested. */
  others?: number;
}

const mostAtOnce = 10_000; // URLs that one call may add
const mostSuggested = 20;

/**
 * Pages of the account to add to a group. Of a large site those that are most worth checking are suggested; the first hundred can be chosen
 * from, or all be added.
 */
export function PagePicker({ groupId, domain, onAdded }: Props) {
  const t = useTranslations('group.picker');
  const client = useClient();
  const [{ data }] = useQuery({ query: FoundPagesDocument, variables: { search: domain, page: 1 }, requestPolicy: 'network-only' });
  const [{ data: advice, fetching }] = useQuery({
    query: SuggestedPagesDocument,
    variables: { domain, count: mostSuggested },
    requestPolicy: 'network-only',
  });
  const [everyPage, setEveryPage] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [collecting, setCollecting] = useState(false);
  const { act, busy } = useAction(AddUrlsDocument);
  if (data === undefined || fetching) {
    return <Loading label={t('loading')} />;
  }
  const { nodes, totalCount } = data.urls;
  const suggested = (advice?.suggestPages ?? []).map(({ url, reason, others }) => ({ ...url, reason, others }));
  const narrowed = suggested.length > 0 && suggested.length < totalCount; // otherwise all of them are suggested, or none
  const shown: readonly Choosable[] = narrowed && !everyPage ? suggested : nodes;
  const chosen = shown.filter((page) => !left.has(page.id));

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
      const next = await client.query(FoundPagesDocument, { search: domain, page }, { requestPolicy: 'network-only' }).toPromise();
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
      {narrowed && (
        <p className={css.suggested}>
          {everyPage ? t('first', { count: nodes.length }) : t('suggested', { count: suggested.length })}{' '}
          <Button look="quiet" size="small" onClick={() => setEveryPage(!everyPage)}>
            {everyPage ? t('showSuggested') : t('showEvery', { count: totalCount })}
          </Button>
        </p>
      )}
      <ul className={css.pages} aria-label={t('pages')}>
        {shown.map((page) => (
          <PageChoice key={page.id} page={page} chosen={!left.has(page.id)} onChange={(on) => toggle(page.id, on)} />
        ))}
      </ul>
      <div className={css.buttons}>
        <Button look="primary" busy={busy} disabled={chosen.length === 0} onClick={() => void add(chosen.map((page) => page.id))}>
          {t('add', { count: chosen.length })}
        </Button>
        {totalCount > shown.length && (
          <Button busy={busy || collecting} onClick={() => void addAll()}>
            {t('addAll', { count: Math.min(totalCount, mostAtOnce) })}
          </Button>
        )}
      </div>
    </>
  );
}

/** A page with a box, and beside it why it is suggested. */
function PageChoice({ page, chosen, onChange }: { page: Choosable; chosen: boolean; onChange: (on: boolean) => void }) {
  const t = useTranslations('group.picker');
  const { id, address, reason, others = 0 } = page;
  const why = reason === undefined ? undefined : `why-${id}`;
  return (
    <li>
      <label>
        <input type="checkbox" checked={chosen} aria-describedby={why} onChange={(event) => onChange(event.target.checked)} />
        {address}
      </label>
      {reason !== undefined && (
        <span id={why} className={css.why}>
          {t(`reasons.${reason}`)}
          {others > 0 && ` · ${t('others', { count: others })}`}
        </span>
      )}
    </li>
  );
}
