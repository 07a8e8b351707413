import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextArea } from '../../../ui/Field';
import { tell } from '../../../ui/Toasts';
import { useAction } from '../../shell/action';
import { Refused } from './Refused';
import css from './Group.module.css';
import { chunks, linesOf, type Line, type RefusedLine } from './lines';
import { AddAddressesDocument } from './query';

interface Props {
  open: boolean;
  groupId: string;
  onClose: () => void;
  onAdded: () => void;
}

const mostLines = 10_000;

/** What the server said about the lines. */
interface Checked {
  valid: number;
  refused: RefusedLine[];
}

/** Takes many addresses, one per line: first they are checked, and then the good ones are added. */
export function PasteUrls({ open, groupId, onClose, onAdded }: Props) {
  const t = useTranslations('group.paste');
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const { act, busy } = useAction(AddAddressesDocument);
  const lines = linesOf(text);

  const send = async (dryRun: boolean) => {
    const total: Checked & { added: number } = { valid: 0, refused: [], added: 0 };
    for (const part of chunks(lines)) {
      const data = await act({ groupId, addresses: part.map((line) => line.text), dryRun });
      if (data === undefined) {
        return undefined;
      }
      const { validCount, count, refused } = data.addAddressesToGroup;
      total.valid += validCount;
      total.added += count;
      total.refused.push(...refused.map(({ index, rule, message }) => ({ ...(part[index] as Line), rule, message })));
    }
    return total;
  };

  const check = async () => {
    const result = await send(true);
    if (result !== undefined && result.refused.length === 0) {
      await add();
    } else {
      setChecked(result);
    }
  };

  const add = async () => {
    const result = await send(false);
    if (result !== undefined) {
      tell({ title: t('added', { count: result.added }) });
      setText('');
      setChecked(undefined);
      onAdded();
      onClose();
    }
  };

  const tooMany = lines.length > mostLines ? t('tooMany', { count: lines.length }) : undefined;
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('title')} about={t('about')} closeLabel={t('cancel')} wide>
      {checked === undefined ? (
        <>
          <TextArea
            label={t('label')}
            className={css.lines}
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={'www.example.com\nwww.example.com/contact'}
            hint={t('count', { count: lines.length })}
            problem={tooMany}
            spellCheck={false}
            rows={12}
          />
          <Button look="primary" busy={busy} disabled={lines.length === 0 || tooMany !== undefined} onClick={() => void check()}>
            {t('add')}
          </Button>
        </>
      ) : (
        <>
          <p role="status">{t('checked', { valid: checked.valid, refused: checked.refused.length })}</p>
          <Refused lines={checked.refused} />
          <div className={css.buttons}>
            <Button onClick={() => setChecked(undefined)}>{t('edit')}</Button>
            <Button look="primary" busy={busy} disabled={checked.valid === 0} onClick={() => void add()}>
              {t('addValid', { count: checked.valid })}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
