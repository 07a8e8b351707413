import { MonitorSmartphone, Tag as TagIcon, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Menu } from '../../../ui/Menu';
import type { SelectionFilter } from '../../api/generated/graphql';
import { TagDialog } from './TagDialog';
import css from './UrlList.module.css';
import { filterOf, type Chosen } from './chosen';
import { useEditing, type Edit } from './editing';
import type { Tag } from './query';

interface Props {
  groupId: string;
  chosen: Chosen;
  count: number;
  filter: SelectionFilter;
  tags: readonly Tag[];
  onClear: () => void;
  onEdited: () => void;
}

type Asked = Exclude<Edit, { kind: 'tag' }>;

/** What can be done with the chosen URLs, of which most may not be in sight. */
export function BulkBar({ groupId, chosen, count, filter, tags, onClear, onEdited }: Props) {
  const t = useTranslations('group.bulk');
  const editing = useEditing(groupId, onEdited);
  const [asking, setAsking] = useState<Asked>();
  const [tagging, setTagging] = useState<'add' | 'remove'>();
  const edit = async (what: Edit) => {
    const edited = await editing.edit(filterOf(chosen, filter), what, count);
    setAsking(undefined);
    if (edited) {
      setTagging(undefined);
    }
    if (edited && what.kind === 'remove') {
      onClear();
    }
  };
  // What cannot be taken back is asked about, and what goes beyond the rows that somebody chose one by one.
  const begin = (what: Asked) => (what.kind === 'remove' || chosen.all ? setAsking(what) : void edit(what));
  const devices = (['desktop', 'mobile'] as const).flatMap((device) =>
    [true, false].map((on) => ({ label: t(`${device}.${on ? 'on' : 'off'}`), run: () => begin({ kind: 'device', device, on }) })),
  );
  return (
    <div className={css.bulk} role="toolbar" aria-label={t('label')}>
      <span className={css.count}>{t('chosen', { count })}</span>
      <Menu
        trigger={
          <Button size="small" icon={<TagIcon aria-hidden="true" />} busy={editing.busy}>
            {t('tags')}
          </Button>
        }
        items={[
          { label: t('addTag'), run: () => setTagging('add') },
          { label: t('removeTag'), run: () => setTagging('remove'), disabled: tags.length === 0 },
        ]}
      />
      <Menu
        trigger={
          <Button size="small" icon={<MonitorSmartphone aria-hidden="true" />} busy={editing.busy}>
            {t('devices')}
          </Button>
        }
        items={devices}
      />
      <Menu
        trigger={
          <Button size="small" icon={<Trash2 aria-hidden="true" />} busy={editing.busy}>
            {t('remove')}
          </Button>
        }
        items={[
          { label: t('fromGroup'), run: () => begin({ kind: 'remove', how: 'FROM_GROUP' }) },
          { label: t('entirely'), danger: true, run: () => begin({ kind: 'remove', how: 'ENTIRELY' }) },
        ]}
      />
      <IconButton label={t('clear')} icon={<X aria-hidden="true" />} onClick={onClear} />
      {asking !== undefined && (
        <Confirm
          open
          onClose={() => setAsking(undefined)}
          title={
            asking.kind === 'device' ? t(`ask.${asking.device}.${asking.on ? 'on' : 'off'}`, { count }) : t(`ask.${asking.how}`, { count })
          }
          about={asking.kind === 'device' ? t('about.device') : t(`about.${asking.how}`)}
          confirm={asking.kind === 'device' ? t('switch', { count }) : t(`do.${asking.how}`, { count })}
          cancel={t('cancel')}
          busy={editing.busy}
          onConfirm={() => void edit(asking)}
        />
      )}
      {tagging !== undefined && (
        <TagDialog
          what={tagging}
          count={count}
          tags={tags}
          busy={editing.busy}
          problem={editing.problem}
          onClose={() => setTagging(undefined)}
          onDone={(tag) => void edit({ kind: 'tag', what: tagging, tag })}
        />
      )}
    </div>
  );
}
