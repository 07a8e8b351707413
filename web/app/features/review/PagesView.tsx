import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Check, Images, Wrench } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { useLiveRefresh } from '../../api/live';
import type { ComparisonFilter } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { useKeys } from '../../shell/keys';
import { useMay } from '../../shell/viewer';
import { BatchScreen } from '../runs/BatchScreen';
import { PageCard } from './PageCard';
import css from './PagesView.module.css';
import { PagesFilter } from './PagesFilter';
import { useJudging, type Verdict } from './judging';
import { RunPagesDocument, type PageOfRun } from './query';

const route = getRouteApi('/runs/$batchId');

const perPage = 60; // as in the query
const cardWidth = 220; // pixels, at least
const cardHeight = 244;
const gap = 12;

/** A run as its pages: a grid, worst first. */
export function PagesView({ batchId }: { batchId: string }) {
  const filter = useFilter();
  const { data, error, refresh } = useRefreshable({ query: RunPagesDocument, variables: { id: batchId, page: 1, filter } });
  useLiveRefresh(['COMPARISON_CREATED', 'BATCH_FINISHED', 'BATCH_UPDATED', 'BATCH_DELETED'], refresh, batchId);
  return (
    <BatchScreen batch={data?.batch} error={error} retry={refresh}>
      {(run) => (
        <>
          <PagesFilter counts={run.comparisonsCount} />
          <Grid
            key={JSON.stringify(filter)}
            batchId={batchId}
            filter={filter}
            total={data?.batch?.comparisons.totalCount ?? 0}
            refresh={refresh}
          />
        </>
      )}
    </BatchScreen>
  );
}

/** The filter in the address, as the API takes it. */
export function useFilter(): ComparisonFilter {
  const { status, device, text } = route.useSearch();
  return {
    ...(status !== undefined && { statuses: [status] }),
    ...(device !== undefined && { devices: [device] }),
    ...(text !== undefined && { text }),
  };
}

interface GridProps {
  batchId: string;
  filter: ComparisonFilter;
  total: number;
  refresh: () => void;
}

function Grid({ batchId, filter, total, refresh }: GridProps) {
  const t = useTranslations('review');
  const navigate = useNavigate();
  const mayReview = useMay('REVIEW');
  const judging = useJudging(batchId, refresh);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const columns = useColumns(place);
  const chunks = Math.ceil(total / perPage);
  const rows = Math.ceil(perPage / columns);
  const virtual = useWindowVirtualizer({
    count: chunks,
    estimateSize: () => rows * (cardHeight + gap),
    scrollMargin: place.current?.offsetTop ?? 0,
    overscan: 1,
  });
  const clear = () => {
    setSelected(new Set());
    setAll(false);
  };
  const judge = async (verdict: Verdict) => {
    if (!mayReview) {
      return;
    }
    const ids = selected.size > 0 ? [...selected] : focusedIds();
    if (all ? await judging.judgeMatching(filter, verdict) : ids.length > 0 && (await judging.judgeComparisons(ids, verdict))) {
      clear();
    }
  };
  useKeys({
    j: () => focusCard(1),
    ArrowRight: () => focusCard(1),
    k: () => focusCard(-1),
    ArrowLeft: () => focusCard(-1),
    ArrowDown: () => focusCard(columns),
    ArrowUp: () => focusCard(-columns),
    a: () => void judge('OK'),
    x: () => void judge('TO_FIX'),
    f: () => void judge('FALSE_POSITIVE'),
    o: () => void judging.reopen(selected.size > 0 ? [...selected] : focusedIds()),
    u: () => void judging.undo(),
    v: () => void navigate({ to: '/runs/$batchId', params: { batchId }, search: { view: 'changes' } }),
  });
  const toggle = (id: string) => {
    setAll(false);
    setSelected((old) => (old.has(id) ? new Set([...old].filter((each) => each !== id)) : new Set(old).add(id)));
  };
  if (total === 0) {
    return (
      <Panel>
        <Empty icon={<Images aria-hidden="true" />} title={t('noPages')} />
      </Panel>
    );
  }
  return (
    <>
      <div ref={place} className={css.grid} style={{ height: heightOf(total, columns) }}>
        {virtual.getVirtualItems().map((chunk) => (
          <Chunk
            key={chunk.key}
            batchId={batchId}
            filter={filter}
            page={chunk.index + 1}
            columns={columns}
            top={chunk.index * rows * (cardHeight + gap)}
            selected={all ? 'all' : selected}
            onToggle={toggle}
          />
        ))}
      </div>
      {(all || selected.size > 0) && mayReview && (
        <Selection count={all ? total : selected.size} judge={judge} clear={clear}>
          {!all && total > selected.size && (
            <Button size="small" look="quiet" onClick={() => setAll(true)}>
              {t('selectAll', { count: total })}
            </Button>
          )}
          {!all && (
            <Button size="small" look="quiet" onClick={() => void judging.reopen([...selected])}>
              {t('reopen')}
            </Button>
          )}
        </Selection>
      )}
    </>
  );
}

function heightOf(total: number, columns: number): number {
  const whole = Math.floor(total / perPage) * Math.ceil(perPage / columns);
  return (whole + Math.ceil((total % perPage) / columns)) * (cardHeight + gap);
}

/** How many cards fit beside each other. */
function useColumns(place: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(5);
  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(([entry]) => {
      setColumns(Math.max(1, Math.floor(((entry?.contentRect.width ?? 0) + gap) / (cardWidth + gap))));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return columns;
}

function focusCard(step: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-comparison]')];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[at < 0 ? 0 : Math.min(Math.max(at + step, 0), cards.length - 1)];
  next?.querySelector<HTMLElement>('a')?.focus();
}

function focusedIds(): string[] {
  const id = document.activeElement?.closest<HTMLElement>('[data-comparison]')?.dataset['comparison'];
  return id === undefined ? [] : [id];
}

interface ChunkProps {
  batchId: string;
  filter: ComparisonFilter;
  page: number;
  columns: number;
  top: number;
  selected: ReadonlySet<string> | 'all';
  onToggle: (id: string) => void;
}

/** As many cards as one request brings. */
function Chunk({ batchId, filter, page, columns, top, selected, onToggle }: ChunkProps) {
  const [{ data }] = useQuery({ query: RunPagesDocument, variables: { id: batchId, page, filter }, requestPolicy: 'cache-first' });
  const nodes: readonly PageOfRun[] = data?.batch?.comparisons.nodes ?? [];
  const { status, device, text } = route.useSearch();
  const walk = { run: batchId, status, device, text };
  return (
    <ul className={css.chunk} style={{ top, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gridAutoRows: cardHeight, gap }}>
      {nodes.map((comparison) => (
        <li key={comparison.id} data-comparison={comparison.id}>
          <PageCard
            walk={walk}
            comparison={comparison}
            selected={selected === 'all' || selected.has(comparison.id)}
            onToggle={() => onToggle(comparison.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface SelectionProps {
  count: number;
  judge: (verdict: Verdict) => Promise<void>;
  clear: () => void;
  children: ReactNode;
}

function Selection({ count, judge, clear, children }: SelectionProps) {
  const t = useTranslations('review');
  return (
    <div className={css.selection} role="toolbar" aria-label={t('selection')}>
      <span>{t('selected', { count })}</span>
      <Button size="small" look="primary" icon={<Check aria-hidden="true" />} onClick={() => void judge('OK')}>
        {t('approveSelected')}
      </Button>
      <Button size="small" icon={<Wrench aria-hidden="true" />} onClick={() => void judge('TO_FIX')}>
        {t('toFix')}
      </Button>
      <Button size="small" onClick={() => void judge('FALSE_POSITIVE')}>
        {t('falsePositive')}
      </Button>
      {children}
      <Button size="small" look="quiet" onClick={clear}>
        {t('clear')}
      </Button>
    </div>
  );
}
