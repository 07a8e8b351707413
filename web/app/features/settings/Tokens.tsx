import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import type { ApiTokenScope } from '../../api/generated/graphql';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import css from './Settings.module.css';
import { Secret } from './Secret';
import { CreateTokenDocument, RevokeTokenDocument, TokensDocument } from './query';

/** The API tokens of the account. */
export function Tokens() {
  const t = useTranslations('settings.tokens');
  const format = useFormatter();
  const [{ data, error }, ask] = useQuery({ query: TokensDocument });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<{ id: string; name: string }>();
  const revoke = useAction(RevokeTokenDocument);
  const drop = async () => {
    if (revoking !== undefined && (await revoke.act({ id: revoking.id }, t('revoked', { name: revoking.name }))) !== undefined) {
      setRevoking(undefined);
    }
  };
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ tokens }) => (
        <Panel title={t('title')} actions={<Button look="primary" size="small" onClick={() => setAdding(true)}>{t('add')}</Button>} flush>
          {tokens.nodes.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <Table label={t('title')} columns={[t('name'), t('scopes'), t('used'), t('expires'), '']}>
              {tokens.nodes.map((token) => (
                <tr key={token.id}>
                  <th scope="row">
                    {token.name} <code className={css.quiet}>{token.prefix}…</code>
                  </th>
                  <td>
                    <span className={css.badges}>
                      {token.scopes.map((scope) => (
                        <Badge key={scope}>{t(`scope.${scope}`)}</Badge>
                      ))}
                    </span>
                  </td>
                  <td data-label={t('used')}>{token.lastUsedAt === null ? t('never') : <When time={token.lastUsedAt} />}</td>
                  <td data-label={t('expires')}>{token.expiresAt === null ? t('never') : format.dateTime(new Date(token.expiresAt), { dateStyle: 'medium' })}</td>
                  <td>
                    {token.revokedAt === null ? (
                      <Button size="small" look="danger" onClick={() => setRevoking(token)}>
                        {t('revoke')}
                      </Button>
                    ) : (
                      <Badge>{t('isRevoked')}</Badge>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <NewToken open={adding} onClose={() => setAdding(false)} onCreated={refresh} />
          <Confirm
            open={revoking !== undefined}
            onClose={() => setRevoking(undefined)}
            title={t('revokeTitle', { name: revoking?.name ?? '' })}
            about={t('revokeAbout')}
            confirm={t('revoke')}
            cancel={t('cancel')}
            busy={revoke.busy}
            onConfirm={() => void drop()}
          />
        </Panel>
      )}
    </Loaded>
  );
}

const scopes = ['RUN', 'REVIEW', 'MANAGE'] as const;

function NewToken({ open, onClose, onCreated }: { open: boolean; onClose: () => void; onCreated: () => void }) {
  const t = useTranslations('settings.tokens');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ApiTokenScope[]>([]);
  const [expires, setExpires] = useState('');
  const [secret, setSecret] = useState<string>();
  const { act, busy, problems } = useAction(CreateTokenDocument);
  const create = async () => {
    const expiresAt = expires === '' ? null : new Date(`${expires}T23:59:59Z`).toISOString();
    const data = await act({ input: { name, scopes: ['READ', ...chosen], expiresAt } });
    if (data !== undefined) {
      setSecret(data.createToken.plainText);
      onCreated();
    }
  };
  const close = () => {
    setSecret(undefined);
    setName('');
    onClose();
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={t('add')} closeLabel={t('cancel')}>
      {secret !== undefined ? (
        <Secret about={t('once')} text={secret} done={t('done')} onDone={close} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <TextField label={t('name')} value={name} onChange={(event) => setName(event.target.value)} problem={problems['name']} maxLength={255} required />
          <Choices
            label={t('scopes')}
            hint={t('scopesAbout')}
            options={scopes.map((value) => ({ value, label: t(`scope.${value}`) }))}
            chosen={scopes.filter((scope) => chosen.includes(scope))}
            onChange={setChosen}
            problem={problems['scopes']}
          />
          <TextField label={t('expires')} hint={t('expiresAbout')} type="date" value={expires} onChange={(event) => setExpires(event.target.value)} problem={problems['expiresAt']} />
          <Button type="submit" look="primary" busy={busy}>
            {t('create')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
