import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField, TextField } from '../../../ui/Field';
import css from './Group.module.css';
import type { Tag } from './query';

interface Props {
  what: 'add' | 'remove';
  count: number;
  tags: readonly Tag[];
  busy: boolean;
  problem: string | undefined;
  onClose: () => void;
  onDone: (tag: string) => void;
}

/** Asks which tag many URLs get or lose: one at a time, so that it can be taken back exactly. */
export function TagDialog({ what, count, tags, busy, problem, onClose, onDone }: Props) {
  const t = useTranslations('group.tagging');
  const list = useId();
  const [tag, setTag] = useState(what === 'add' ? '' : (tags[0]?.name ?? ''));
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t(`${what}.title`, { count })} closeLabel={t('cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(tag);
        }}
      >
        {what === 'remove' ? (
          <SelectField
            label={t('tag')}
            value={tag}
            options={tags.map(({ name }) => ({ value: name, label: name }))}
            onChange={setTag}
            problem={problem}
          />
        ) : (
          <>
            <TextField
              label={t('tag')}
              hint={t('hint')}
              list={list}
              maxLength={50}
              value={tag}
              onChange={(event) => setTag(event.target.value)}
              problem={problem}
              required
            />
            <datalist id={list}>
              {tags.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </datalist>
          </>
        )}
        <div className={css.buttons}>
          <Button type="submit" look="primary" busy={busy} disabled={tag.trim() === ''}>
            {t(`${what}.do`, { count })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
