import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Panel } from '../../../ui/Panel';
import { Search } from '../../../ui/Search';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import type { PeopleQuery, UserRole } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { useMay, useViewer } from '../../shell/viewer';
import { Invitations } from './Invitations';
import { More } from './More';
import { Sessions } from './Sessions';
import css from './Settings.module.css';
import { ChangeRoleDocument, PeopleDocument, RemoveUserDocument, SignOutUserDocument } from './query';
import { roles } from './roles';

const route = getRouteApi('/settings/people');

/** Who may sign in, with which role, who is invited, and where the viewer is signed in. */
export function People() {
  const t = useTranslations('settings.people');
  const own = useMay('OWN');
  const { q, after, invited } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: PeopleDocument, variables: { search: q ?? null, after: after ?? null } });
  return (
    <>
      <div className={css.tools}>
        <Search
          label={t('search')}
          text={q ?? ''}
          onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </div>
      <Loaded data={data} error={error} retry={refresh}>
        {({ users, sessions, passkeys }) => (
          <>
            <Users users={users.nodes} searched={q !== undefined} onChange={refresh}>
              <More
                label={t('users')}
                pageInfo={users.pageInfo}
                after={after}
                onGo={(next) => void navigate({ search: (old) => ({ ...old, after: next }) })}
              />
            </Users>
            {own && (
              <Invitations search={q} after={invited} onGo={(next) => void navigate({ search: (old) => ({ ...old, invited: next }) })} />
            )}
            <Sessions sessions={sessions} passkeys={passkeys} onChange={refresh} />
          </>
        )}
      </Loaded>
    </>
  );
}

type User = PeopleQuery['users']['nodes'][number];

interface UsersProps {
  users: readonly User[];
  /** Whether these are only those who were searched for. */
  searched: boolean;
  onChange: () => void;
  /** The ways to further users. */
  children: ReactNode;
}

function Users({ users, searched, onChange, children }: UsersProps) {
  const t = useTranslations('settings.people');
  const [removing, setRemoving] = useState<User>();
  const remove = useAction(RemoveUserDocument);
  const drop = async () => {
    if (removing !== undefined && (await remove.act({ id: removing.id }, t('removed', { name: removing.name }))) !== undefined) {
      setRemoving(undefined);
      onChange();
    }
  };
  return (
    <Panel title={t('users')} flush>
      {users.length === 0 ? (
        <Empty title={searched ? t('nobodyFound') : t('noUsers')}>{!searched && t('noUsersAbout')}</Empty>
      ) : (
        <Table label={t('users')} columns={[t('name'), t('email'), t('role'), t('seen'), '']}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} onRemove={() => setRemoving(user)} />
          ))}
        </Table>
      )}
      {children}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('removeTitle', { name: removing?.name ?? '' })}
        about={t('removeAbout')}
        confirm={t('remove')}
        cancel={t('cancel')}
        busy={remove.busy}
        onConfirm={() => void drop()}
      />
    </Panel>
  );
}

function UserRow({ user, onRemove }: { user: User; onRemove: () => void }) {
  const t = useTranslations('settings.people');
  const own = useMay('OWN');
  const viewer = useViewer().user;
  const { act, busy } = useAction(ChangeRoleDocument);
  const signOut = useAction(SignOutUserDocument);
  const itself = viewer?.id === user.id;
  return (
    <tr>
      <th scope="row">
        <bdi>{user.name}</bdi> {itself && <Badge tone="accent">{t('you')}</Badge>}
      </th>
      <td>
        <bdi>{user.email}</bdi>
      </td>
      <td data-label={t('role')}>
        {own && !itself ? (
          <select
            className={css.select}
            aria-label={t('roleOf', { name: user.name })}
            value={user.role}
            disabled={busy}
            onChange={(event) => void act({ userId: user.id, role: event.target.value as UserRole }, t('changed'))}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {t(`roles.${role}`)}
              </option>
            ))}
          </select>
        ) : (
          t(`roles.${user.role}`)
        )}
      </td>
      <td data-label={t('seen')}>{user.lastSeenAt === null ? t('never') : <When time={user.lastSeenAt} />}</td>
      <td>
        {own && !itself && (
          <span className={css.buttons}>
            <Button
              size="small"
              busy={signOut.busy}
              onClick={() => void signOut.act({ userId: user.id }, t('signedOut', { name: user.name }))}
            >
              {t('signOut')}
            </Button>
            <Button size="small" look="danger" onClick={onRemove}>
              {t('remove')}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}
