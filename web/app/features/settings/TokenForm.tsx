import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import type { ApiTokenScope } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { Secret } from './Secret';
import { CreateTokenDocument, UpdateTokenDocument, type Token } from './query';

interface Props {
  onClose: () => void;
  onSaved: () => void;
}

/** The last moment of a day in UTC; null for no day. */
const endOf = (day: string) => (day === '' ? null : `${day}T23:59:59Z`);

/** Asks for a token, creates it and shows it once. */
export function NewToken({ onClose, onSaved }: Props) {
  const t = useTranslations('settings.tokens');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ApiTokenScope[]>([]);
  const [expires, setExpires] = useState('');
  const [secret, setSecret] = useState<string>();
  const { act, busy, problems } = useAction(CreateTokenDocument);
  const create = async () => {
    const data = await act({ input: { name, scopes: ['READ', ...chosen], expiresAt: endOf(expires) } });
    if (data !== undefined) {
      setSecret(data.createToken.plainText);
      onSaved();
    }
  };
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('add')} closeLabel={t('cancel')}>
      {secret !== undefined ? (
        <Secret about={t('once')} text={secret} done={t('done')} onDone={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <NameAndEnd name={name} expires={expires} problems={problems} onName={setName} onExpires={setExpires} />
          <Choices
            label={t('scopes')}
            hint={t('scopesAbout')}
            options={(['RUN', 'REVIEW', 'MANAGE'] as const).map((value) => ({ value, label: t(`scope.${value}`) }))}
            chosen={chosen}
            onChange={setChosen}
            problem={problems['scopes']}
          />
          <Button type="submit" look="primary" busy={busy}>
            {t('create')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** Changes the name of a token and when it ends. What it may do stays: for that, there are new tokens. */
export function EditToken({ token, onClose, onSaved }: Props & { token: Token }) {
  const t = useTranslations('settings.tokens');
  const before = token.expiresAt?.slice(0, 10) ?? '';
  const [name, setName] = useState(token.name);
  const [expires, setExpires] = useState(before);
  const { act, busy, problems } = useAction(UpdateTokenDocument);
  const save = async () => {
    // An end that nobody touched stays to the second.
    const input = { name, ...(expires !== before && { expiresAt: endOf(expires) }) };
    if ((await act({ id: token.id, input }, t('saved'))) !== undefined) {
      onSaved();
      onClose();
    }
  };
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('editTitle', { name: token.name })} closeLabel={t('cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <NameAndEnd name={name} expires={expires} problems={problems} onName={setName} onExpires={setExpires} />
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  name: string;
  expires: string;
  problems: Readonly<Record<string, string>>;
  onName: (name: string) => void;
  onExpires: (day: string) => void;
}

function NameAndEnd({ name, expires, problems, onName, onExpires }: FieldProps) {
  const t = useTranslations('settings.tokens');
  return (
    <>
      <TextField
        label={t('name')}
        value={name}
        onChange={(event) => onName(event.target.value)}
        problem={problems['name']}
        maxLength={255}
        required
      />
      <TextField
        label={t('expires')}
        hint={t('expiresAbout')}
        type="date"
        value={expires}
        onChange={(event) => onExpires(event.target.value)}
        problem={problems['expiresAt']}
      />
    </>
  );
}
