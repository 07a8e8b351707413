import { SlidersHorizontal } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from 'use-intl';
import { useMutation } from 'urql';

import { Badge } from '../../../ui/Badge';
import { IconButton } from '../../../ui/Button';
import { Switch } from '../../../ui/Switch';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import { When } from '../../shell/When';
import { pageName } from '../../shell/pageName';
import css from './UrlList.module.css';
import { UpdateUrlDocument, type Row } from './query';
import type { GroupSearch } from './search';

interface Props {
  row: Row;
  /** Its place in the list, from 0. */
  index: number;
  chosen: boolean;
  /** Undefined where nothing may be edited. */
  onChoose: ((shift: boolean) => void) | undefined;
  onOpen: (row: Row) => void;
  onFilter: (change: Partial<GroupSearch>) => void;
}

// Thousands of rows must not be drawn anew when one of them is chosen. The functions do the same each time.
export const UrlRow = memo(UrlRowOf, (old, next) => {
  const same = old.row === next.row && old.index === next.index && old.chosen === next.chosen;
  return same && (old.onChoose === undefined) === (next.onChoose === undefined);
});

function UrlRowOf({ row, index, chosen, onChoose, onOpen, onFilter }: Props) {
  const t = useTranslations('group.urls');
  const [{ fetching }, update] = useMutation(UpdateUrlDocument);
  const editable = onChoose !== undefined;
  const change = async (input: { desktop: boolean } | { mobile: boolean }) => {
    const { error } = await update({ groupId: row.groupId, urlId: row.urlId, input });
    if (error !== undefined) {
      tell({ title: explain(error), tone: 'problem' });
    }
  };
  return (
    <div role="row" aria-rowindex={index + 2} className={css.row} data-url={row.urlId} data-chosen={chosen || undefined}>
      <span role="cell">
        {editable && (
          <input
            type="checkbox"
            className={css.box}
            data-key="choose"
            aria-label={t('choose', { address: pageName(row.address) })}
            checked={chosen}
            onChange={(event) => onChoose((event.nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </span>
      <span role="cell" className={css.name}>
        <span className={css.address} title={pageName(row.address)}>
          {pageName(row.address)}
        </span>
        <span className={css.title}>
          <span className={css.inline}>{row.tags.join(', ')} </span>
          {row.htmlTitle}
        </span>
      </span>
      <Labels row={row} onFilter={onFilter} />
      <span role="cell" className={css.time}>
        {row.lastChangedAt === null ? '–' : <When time={row.lastChangedAt} />}
      </span>
      <span role="cell" className={css.time}>
        {row.lastCrawledAt === null ? t('never') : <When time={row.lastCrawledAt} />}
      </span>
      {(['desktop', 'mobile'] as const).map((device) => (
        <span key={device} role="cell">
          <Switch
            label={t(`${device}Of`, { address: pageName(row.address) })}
            checked={row[device]}
            disabled={!editable || fetching}
            onChange={(on) => void change(device === 'desktop' ? { desktop: on } : { mobile: on })}
          />
        </span>
      ))}
      <span role="cell">
        <IconButton
          label={t('settingsOf', { address: pageName(row.address) })}
          data-key="settings"
          icon={<SlidersHorizontal aria-hidden="true" />}
          onClick={() => onOpen(row)}
        />
      </span>
    </div>
  );
}

/** What the URL is labelled with; each label narrows the list. */
function Labels({ row, onFilter }: Pick<Props, 'row' | 'onFilter'>) {
  const t = useTranslations('group.urls');
  const { type, category } = row;
  return (
    <span role="cell" className={css.tags}>
      {row.tags.map((tag) => (
        <button key={tag} type="button" className={css.own} onClick={() => onFilter({ tag })} title={t('onlyTag', { value: tag })}>
          {tag}
        </button>
      ))}
      {type !== null && type !== '' && (
        <button type="button" className={css.tag} onClick={() => onFilter({ type })} title={t('onlyType', { value: type })}>
          {type}
        </button>
      )}
      {category !== null && category !== '' && (
        <button type="button" className={css.tag} onClick={() => onFilter({ category })} title={t('onlyCategory', { value: category })}>
          {category}
        </button>
      )}
      {row.threshold !== null && <Badge>{t('threshold', { percent: row.threshold })}</Badge>}
    </span>
  );
}
