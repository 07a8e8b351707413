import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField, TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import type { InvitationsQuery, UserRole } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { More } from './More';
import css from './Settings.module.css';
import { InvitationsDocument, InviteDocument, ResendDocument, RevokeInvitationDocument } from './query';
import { roles } from './roles';

type Invitation = InvitationsQuery['invitations']['nodes'][number];

interface Props {
  search: string | undefined;
  after: string | undefined;
  onGo: (after: string | undefined) => void;
}

/** Who was invited, and the form that invites. */
export function Invitations({ search, after, onGo }: Props) {
  const t = useTranslations('settings.people');
  const [inviting, setInviting] = useState(false);
  const { data, error, refresh } = useRefreshable({
    query: InvitationsDocument,
    variables: { search: search ?? null, after: after ?? null },
  });
  const invite = (
    <Button look="primary" size="small" onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <Panel title={t('invitations')} actions={invite} flush>
      <Loaded data={data} error={error} retry={refresh}>
        {({ invitations }) => (
          <>
            {invitations.nodes.length === 0 ? (
              <Empty title={search === undefined ? t('noInvitations') : t('nobodyFound')} />
            ) : (
              <Table label={t('invitations')} columns={[t('email'), t('role'), t('state'), t('expires'), '']}>
                {invitations.nodes.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} />
                ))}
              </Table>
            )}
            <More label={t('invitations')} pageInfo={invitations.pageInfo} after={after} onGo={onGo} />
          </>
        )}
      </Loaded>
      <InviteForm open={inviting} onClose={() => setInviting(false)} onInvited={refresh} />
    </Panel>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const t = useTranslations('settings.people');
  const resend = useAction(ResendDocument);
  const revoke = useAction(RevokeInvitationDocument);
  return (
    <tr>
      <th scope="row">{invitation.email}</th>
      <td data-label={t('role')}>{t(`roles.${invitation.role}`)}</td>
      <td>
        <Badge tone={invitation.state === 'PENDING' ? 'accent' : 'neutral'}>{t(`states.${invitation.state}`)}</Badge>
      </td>
      <td data-label={t('expires')}>{invitation.state === 'PENDING' && <When time={invitation.expiresAt} />}</td>
      <td>
        {(invitation.state === 'PENDING' || invitation.state === 'EXPIRED') && (
          <span className={css.buttons}>
            <Button size="small" busy={resend.busy} onClick={() => void resend.act({ id: invitation.id }, t('resent'))}>
              {t('resend')}
            </Button>
            <Button size="small" look="danger" busy={revoke.busy} onClick={() => void revoke.act({ id: invitation.id }, t('revoked'))}>
              {t('revoke')}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

function InviteForm({ open, onClose, onInvited }: { open: boolean; onClose: () => void; onInvited: () => void }) {
  const t = useTranslations('settings.people');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<UserRole>('REVIEWER');
  const { act, busy, problems } = useAction(InviteDocument);
  const send = async () => {
    if ((await act({ input: { email, role } }, t('invited', { email }))) !== undefined) {
      setEmail('');
      onInvited();
      onClose();
    }
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('invite')} about={t('inviteAbout')} closeLabel={t('cancel')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextField
          label={t('email')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problems['email']}
          required
        />
        <SelectField
          label={t('role')}
          hint={t(`rolesAbout.${role}`)}
          value={role}
          onChange={setRole}
          options={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
          problem={problems['role']}
        />
        <Button type="submit" look="primary" busy={busy}>
          {t('send')}
        </Button>
      </form>
    </Dialog>
  );
}
