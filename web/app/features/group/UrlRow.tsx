import { SlidersHorizontal } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useMutation } from 'urql';

import { Badge } from '../../../ui/Badge';
import { IconButton } from '../../../ui/Button';
import { Switch } from '../../../ui/Switch';
import { tell } from '../../../ui/Toasts';
import { explain } from '../../api/problem';
import { When } from '../../shell/When';
import css from './UrlList.module.css';
import { UpdateUrlDocument, type Row } from './query';

interface Props {
  row: Row;
  /** Number of its line, for screen readers. */
  index: number;
  editable: boolean;
  onOpen: (row: Row) => void;
  onFilter: (filter: { type?: string; category?: string }) => void;
}

export function UrlRow({ row, index, editable, onOpen, onFilter }: Props) {
  const t = useTranslations('group.urls');
  const [{ fetching }, update] = useMutation(UpdateUrlDocument);
  const change = async (input: { desktop: boolean } | { mobile: boolean }) => {
    const { error } = await update({ groupId: row.groupId, urlId: row.urlId, input });
    if (error !== undefined) {
      tell({ title: explain(error), tone: 'problem' });
    }
  };
  const { type, category } = row;
  return (
    <div role="row" aria-rowindex={index} className={css.row}>
      <span role="cell" className={css.name}>
        <span className={css.address} title={row.address}>
          {row.address}
        </span>
        <span className={css.title}>{row.htmlTitle}</span>
      </span>
      <span role="cell" className={css.tags}>
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
      <span role="cell" className={css.captured}>
        {row.lastCrawledAt === null ? t('never') : <When time={row.lastCrawledAt} />}
      </span>
      <span role="cell">
        <Switch
          label={t('desktopOf', { address: row.address })}
          checked={row.desktop}
          disabled={!editable || fetching}
          onChange={(desktop) => void change({ desktop })}
        />
      </span>
      <span role="cell">
        <Switch
          label={t('mobileOf', { address: row.address })}
          checked={row.mobile}
          disabled={!editable || fetching}
          onChange={(mobile) => void change({ mobile })}
        />
      </span>
      <span role="cell">
        <IconButton label={t('settingsOf', { address: row.address })} icon={<SlidersHorizontal aria-hidden="true" />} onClick={() => onOpen(row)} />
      </span>
    </div>
  );
}
