import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { useRefreshable } from '../../api/refreshable';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { More } from './More';
import css from './Settings.module.css';
import { EditToken, NewToken } from './TokenForm';
import { RevokeTokenDocument, TokensDocument, type Token } from './query';

const route = getRouteApi('/settings/tokens');

type Doing = { what: 'add' } | { what: 'edit' | 'revoke'; token: Token };

/** The API tokens of the account. */
export function Tokens() {
  const t = useTranslations('settings.tokens');
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: TokensDocument, variables: { after: after ?? null } });
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const add = (
    <Button look="primary" size="small" onClick={() => setDoing({ what: 'add' })}>
      {t('add')}
    </Button>
  );
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ tokens }) => (
        <Panel title={t('title')} actions={add} flush>
          {tokens.nodes.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <Table label={t('title')} columns={[t('name'), t('scopes'), t('used'), t('expires'), '']}>
              {tokens.nodes.map((token) => (
                <TokenRow key={token.id} token={token} onDo={(what) => setDoing({ what, token })} />
              ))}
            </Table>
          )}
          <More label={t('title')} pageInfo={tokens.pageInfo} after={after} onGo={(next) => void navigate({ search: { after: next } })} />
          {doing?.what === 'add' && <NewToken onClose={close} onSaved={refresh} />}
          {doing?.what === 'edit' && <EditToken token={doing.token} onClose={close} onSaved={refresh} />}
          {doing?.what === 'revoke' && <Revoke token={doing.token} onClose={close} />}
        </Panel>
      )}
    </Loaded>
  );
}

function TokenRow({ token, onDo }: { token: Token; onDo: (what: 'edit' | 'revoke') => void }) {
  const t = useTranslations('settings.tokens');
  const format = useFormatter();
  return (
    <tr>
      <th scope="row">
        <bdi>{token.name}</bdi> <code className={css.quiet}>{token.prefix}…</code>
      </th>
      <td>
        <span className={css.badges}>
          {token.scopes.map((scope) => (
            <Badge key={scope}>{t(`scope.${scope}`)}</Badge>
          ))}
        </span>
      </td>
      <td data-label={t('used')}>{token.lastUsedAt === null ? t('never') : <When time={token.lastUsedAt} />}</td>
      <td data-label={t('expires')}>
        {token.expiresAt === null ? t('never') : format.dateTime(new Date(token.expiresAt), { dateStyle: 'medium' })}
      </td>
      <td>
        {token.revokedAt === null ? (
          <span className={css.buttons}>
            <Button size="small" onClick={() => onDo('edit')}>
              {t('edit')}
            </Button>
            <Button size="small" look="danger" onClick={() => onDo('revoke')}>
              {t('revoke')}
            </Button>
          </span>
        ) : (
          <Badge>{t('isRevoked')}</Badge>
        )}
      </td>
    </tr>
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const t = useTranslations('settings.tokens');
  const { act, busy } = useAction(RevokeTokenDocument);
  const revoke = async () => {
    if ((await act({ id: token.id }, t('revoked', { name: token.name }))) !== undefined) {
      onClose();
    }
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('revokeTitle', { name: token.name })}
      about={t('revokeAbout')}
      confirm={t('revoke')}
      cancel={t('cancel')}
      busy={busy}
      onConfirm={() => void revoke()}
    />
  );
}
