import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { Secret } from './Secret';
import { CreateSubaccountDocument, DeleteSubaccountDocument, SubaccountsDocument } from './query';

/** The accounts below this one. */
export function Subaccounts() {
  const t = useTranslations('settings.subaccounts');
  const mayOwn = useMay('OWN');
  const [{ data, error }, ask] = useQuery({ query: SubaccountsDocument });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<{ id: string; email: string }>();
  const remove = useAction(DeleteSubaccountDocument);
  const drop = async () => {
    if (deleting !== undefined && (await remove.act({ id: deleting.id }, t('deleted'))) !== undefined) {
      refresh();
    }
    setDeleting(undefined);
  };
  const add = mayOwn && (
    <Button look="primary" size="small" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ subaccounts }) => (
        <Panel title={t('title')} actions={add} flush>
          {subaccounts.nodes.length === 0 ? (
            <Empty title={t('empty')}>{t('emptyAbout')}</Empty>
          ) : (
            <Table label={t('title')} columns={[t('name'), t('email'), t('checks'), '']}>
              {subaccounts.nodes.map((account) => (
                <tr key={account.id}>
                  <th scope="row">
                    {account.nameFirst} {account.nameLast}
                  </th>
                  <td>{account.email}</td>
                  <td data-label={t('checks')}>{t('used', { done: account.checksDone, limit: account.checksLimit })}</td>
                  <td>
                    {mayOwn && (
                      <Button size="small" look="danger" onClick={() => setDeleting(account)}>
                        {t('delete')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <NewSubaccount open={adding} onClose={() => setAdding(false)} onCreated={refresh} />
          <Confirm open={deleting !== undefined} onClose={() => setDeleting(undefined)} title={t('deleteTitle', { email: deleting?.email ?? '' })} about={t('deleteAbout')} confirm={t('delete')} cancel={t('cancel')} busy={remove.busy} onConfirm={() => void drop()} />
        </Panel>
      )}
    </Loaded>
  );
}

function NewSubaccount({ open, onClose, onCreated }: { open: boolean; onClose: () => void; onCreated: () => void }) {
  const t = useTranslations('settings.subaccounts');
  const [draft, setDraft] = useState({ nameFirst: '', nameLast: '', email: '', limitChecks: '1000' });
  const [secret, setSecret] = useState<string>();
  const { act, busy, problems } = useAction(CreateSubaccountDocument);
  const create = async () => {
    const data = await act({ input: { ...draft, limitChecks: Number(draft.limitChecks) } });
    if (data !== undefined) {
      setSecret(data.createSubaccount.apiToken);
      onCreated();
    }
  };
  const close = () => {
    setSecret(undefined);
    onClose();
  };
  const field = (name: keyof typeof draft, type: string) => (
    <TextField label={t(name)} type={type} value={draft[name]} onChange={(event) => setDraft({ ...draft, [name]: event.target.value })} problem={problems[name]} maxLength={255} min={0} required />
  );
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
          {field('nameFirst', 'text')}
          {field('nameLast', 'text')}
          {field('email', 'email')}
          {field('limitChecks', 'number')}
          <Button type="submit" look="primary" busy={busy}>
            {t('create')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
