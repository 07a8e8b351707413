import { ArrowDownNarrowWide, ArrowUpNarrowWide, Camera } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { Search } from '../../../ui/Search';
import { Select } from '../../../ui/Select';
import { join } from '../../../ui/join';
import { useMay } from '../../shell/viewer';
import css from './Group.module.css';
import type { Tag } from './query';
import { sortKeys, type GroupSearch } from './search';
import { useTaking } from './taking';

interface Props {
  groupId: string;
  search: GroupSearch;
  tags: readonly Tag[];
  onChange: (change: Partial<GroupSearch>) => void;
}

/** What narrows and sorts the list of URLs. */
export function ListTools({ groupId, search: { q, type, category, tag, sort, turned }, tags, onChange }: Props) {
  const t = useTranslations('group.urls');
  const mayRun = useMay('RUN');
  const taking = useTaking(groupId);
  const names = tags.map(({ name }) => name);
  const tagNames = tag === undefined || names.includes(tag) ? names : [...names, tag];
  return (
    <div className={join(css.filters, css.tools)}>
      <Search label={t('search')} text={q ?? ''} onChange={(text) => onChange({ q: text || undefined })} />
      {tagNames.length > 0 && (
        <Select
          label={t('tag')}
          value={tag ?? ''}
          options={[{ value: '', label: t('anyTag') }, ...tagNames.map((name) => ({ value: name, label: name }))]}
          onChange={(name) => onChange({ tag: name || undefined })}
        />
      )}
      <Select
        label={t('sort')}
        value={sort ?? ''}
        options={[{ value: '', label: t('sorts.CREATED') }, ...sortKeys.map((key) => ({ value: key, label: t(`sorts.${key}`) }))]}
        onChange={(key) => onChange({ sort: sortKeys.find((each) => each === key), turned: undefined })}
      />
      <IconButton
        label={t('turn')}
        aria-pressed={turned === true}
        icon={turned === true ? <ArrowUpNarrowWide aria-hidden="true" /> : <ArrowDownNarrowWide aria-hidden="true" />}
        onClick={() => onChange({ turned: turned === true ? undefined : true })}
      />
      {(
        [
          ['type', type],
          ['category', category],
        ] as const
      ).map(
        ([key, value]) =>
          value !== undefined && (
            <Button key={key} size="small" onClick={() => onChange({ [key]: undefined })} title={t('clear')}>
              {t(key, { value })} ×
            </Button>
          ),
      )}
      {tag !== undefined && mayRun && (
        <Menu
          trigger={
            <Button icon={<Camera aria-hidden="true" />} busy={taking.busy} title={t('runTagAbout')}>
              {t('runTag')}
            </Button>
          }
          items={(['PRE', 'POST'] as const).map((kind) => ({ label: t(`runs.${kind}`), run: () => void taking.start(kind, [tag]) }))}
        />
      )}
    </div>
  );
}
