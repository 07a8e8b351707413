import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { useAction } from '../../shell/action';
import { RenameRun, type RunHead } from './query';

const form = 'rename-run';

/** Gives a run another name. */
export function RenameDialog({ run, onClose }: { run: RunHead; onClose: () => void }) {
  const t = useTranslations('runs');
  const [name, setName] = useState(run.name);
  const { act, busy, problems } = useAction(RenameRun);
  const rename = async () => {
    if ((await act({ id: run.id, name: name.trim() }, t('renamed'))) !== undefined) {
      onClose();
    }
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('keepName')}</Button>
      <Button type="submit" form={form} look="primary" busy={busy} disabled={name.trim() === ''}>
        {t('rename')}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('renameTitle')} closeLabel={t('keepName')} actions={actions}>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <TextField label={t('name')} value={name} problem={problems['name']} onChange={(event) => setName(event.target.value)} />
      </form>
    </Dialog>
  );
}
