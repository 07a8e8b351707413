import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Search } from '../../../ui/Search';
import type { ComparisonStatus, Device } from '../../api/generated/graphql';
import css from './PagesFilter.module.css';

const route = getRouteApi('/runs/$batchId');

const statuses: readonly ComparisonStatus[] = ['NEW', 'TO_FIX', 'FALSE_POSITIVE', 'OK'];
const devices: readonly Device[] = ['DESKTOP', 'MOBILE'];

interface Props {
  counts: { ok: number; new: number; falsePositive: number; toFix: number };
}

/** Which pages of a run are shown; kept in the address. */
export function PagesFilter({ counts }: Props) {
  const t = useTranslations('review');
  const status = useTranslations('status');
  const device = useTranslations('device');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const of: Record<ComparisonStatus, number> = {
    NEW: counts.new,
    OK: counts.ok,
    FALSE_POSITIVE: counts.falsePositive,
    TO_FIX: counts.toFix,
  };
  const set = (change: Partial<typeof search>) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  return (
    <div className={css.filter}>
      <div role="group" aria-label={t('filterStatus')} className={css.choices}>
        {statuses.map((each) => (
          <button
            key={each}
            type="button"
            className={css.choice}
            aria-pressed={search.status === each}
            onClick={() => set({ status: search.status === each ? undefined : each })}
          >
            {status(each)} <span className={css.count}>{of[each]}</span>
          </button>
        ))}
      </div>
      <div role="group" aria-label={t('filterDevice')} className={css.choices}>
        {devices.map((each) => (
          <button
            key={each}
            type="button"
            className={css.choice}
            aria-pressed={search.device === each}
            onClick={() => set({ device: search.device === each ? undefined : each })}
          >
            {device(each)}
          </button>
        ))}
      </div>
      <Search label={t('filterText')} text={search.text ?? ''} onChange={(text) => set({ text: text === '' ? undefined : text })} />
    </div>
  );
}
