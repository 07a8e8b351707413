import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { useAction } from '../../shell/action';
import { Secret } from './Secret';
import { CreateSubaccountDocument, UpdateSubaccountDocument, type Subaccount } from './query';

interface Props {
  /** The one to change; none to add one. */
  subaccount?: Subaccount | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Adds a subaccount, whose API token is shown once, or changes one. */
export function SubaccountForm({ subaccount, onClose, onSaved }: Props) {
  const t = useTranslations('settings.subaccounts');
  const [draft, setDraft] = useState({
    nameFirst: subaccount?.nameFirst ?? '',
    nameLast: subaccount?.nameLast ?? '',
    email: subaccount?.email ?? '',
    limitChecks: String(subaccount?.checksLimit ?? 1000),
  });
  const [secret, setSecret] = useState<string>();
  const create = useAction(CreateSubaccountDocument);
  const update = useAction(UpdateSubaccountDocument);
  const { busy, problems } = subaccount === undefined ? create : update;
  const input = { ...draft, limitChecks: Number(draft.limitChecks) };

  const add = async () => {
    const data = await create.act({ input });
    if (data !== undefined) {
      setSecret(data.createSubaccount.apiToken);
      onSaved();
    }
  };
  const change = async (id: string) => {
    if ((await update.act({ id, input }, t('saved'))) !== undefined) {
      onSaved();
      onClose();
    }
  };

  const field = (name: keyof typeof draft, type: string) => (
    <TextField
      label={t(name)}
      type={type}
      value={draft[name]}
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      problem={problems[name]}
      maxLength={255}
      min={0}
      required
    />
  );
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={subaccount === undefined ? t('add') : t('editTitle', { email: subaccount.email })}
      closeLabel={t('cancel')}
    >
      {secret !== undefined ? (
        <Secret about={t('once')} text={secret} done={t('done')} onDone={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void (subaccount === undefined ? add() : change(subaccount.id));
          }}
        >
          {field('nameFirst', 'text')}
          {field('nameLast', 'text')}
          {field('email', 'email')}
          {field('limitChecks', 'number')}
          <Button type="submit" look="primary" busy={busy}>
            {subaccount === undefined ? t('create') : t('save')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
