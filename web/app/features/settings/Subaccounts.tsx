import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { useRefreshable } from '../../api/refreshable';
import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Panel } from '../../../ui/Panel';
import { Search } from '../../../ui/Search';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { More } from './More';
import css from './Settings.module.css';
import { SubaccountForm } from './SubaccountForm';
import { DeleteSubaccountDocument, SubaccountsDocument, type Subaccount } from './query';

const route = getRouteApi('/settings/subaccounts');

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; subaccount: Subaccount };

/** The accounts below this one. */
export function Subaccounts() {
  const t = useTranslations('settings.subaccounts');
  const mayOwn = useMay('OWN');
  const { q, after } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: SubaccountsDocument, variables: { search: q ?? null, after: after ?? null } });
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const add = mayOwn && (
    <Button look="primary" size="small" onClick={() => setDoing({ what: 'add' })}>
      {t('add')}
    </Button>
  );
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
        {({ subaccounts }) => (
          <Panel title={t('title')} actions={add} flush>
            {subaccounts.nodes.length === 0 ? (
              <Empty title={q === undefined ? t('empty') : t('nothingFound')}>{q === undefined && t('emptyAbout')}</Empty>
            ) : (
              <Table label={t('title')} columns={[t('name'), t('email'), t('checks'), '']}>
                {subaccounts.nodes.map((each) => (
                  <SubaccountRow key={each.id} subaccount={each} onDo={(what) => setDoing({ what, subaccount: each })} />
                ))}
              </Table>
            )}
            <More
              label={t('title')}
              pageInfo={subaccounts.pageInfo}
              after={after}
              onGo={(next) => void navigate({ search: (old) => ({ ...old, after: next }) })}
            />
            {doing?.what === 'add' && <SubaccountForm onClose={close} onSaved={refresh} />}
            {doing?.what === 'edit' && <SubaccountForm subaccount={doing.subaccount} onClose={close} onSaved={refresh} />}
            {doing?.what === 'delete' && <Delete subaccount={doing.subaccount} onClose={close} onDeleted={refresh} />}
          </Panel>
        )}
      </Loaded>
    </>
  );
}

function SubaccountRow({ subaccount, onDo }: { subaccount: Subaccount; onDo: (what: 'edit' | 'delete') => void }) {
  const t = useTranslations('settings.subaccounts');
  const mayOwn = useMay('OWN');
  return (
    <tr>
      <th scope="row">
        <bdi>
          {subaccount.nameFirst} {subaccount.nameLast}
        </bdi>
      </th>
      <td>
        <bdi>{subaccount.email}</bdi>
      </td>
      <td data-label={t('checks')}>{t('used', { done: subaccount.checksDone, limit: subaccount.checksLimit })}</td>
      <td>
        {mayOwn && (
          <span className={css.buttons}>
            <Button size="small" onClick={() => onDo('edit')}>
              {t('edit')}
            </Button>
            <Button size="small" look="danger" onClick={() => onDo('delete')}>
              {t('delete')}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

function Delete({ subaccount, onClose, onDeleted }: { subaccount: Subaccount; onClose: () => void; onDeleted: () => void }) {
  const t = useTranslations('settings.subaccounts');
  const { act, busy } = useAction(DeleteSubaccountDocument);
  const drop = async () => {
    if ((await act({ id: subaccount.id }, t('deleted'))) !== undefined) {
      onDeleted();
    }
    onClose();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { email: subaccount.email })}
      about={t('deleteAbout')}
      confirm={t('delete')}
      cancel={t('cancel')}
      busy={busy}
      onConfirm={() => void drop()}
    />
  );
}
