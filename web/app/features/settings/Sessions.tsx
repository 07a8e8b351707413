import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Table } from '../../../ui/Table';
import type { PeopleQuery } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { When } from '../../shell/When';
import { DeletePasskeyDocument, EndSessionDocument } from './query';

interface Props extends Pick<PeopleQuery, 'sessions' | 'passkeys'> {
  onChange: () => void;
}

/** Where the viewer is signed in, and by which passkeys; nothing for an API token, which has neither. */
export function Sessions({ sessions, passkeys, onChange }: Props) {
  const t = useTranslations('settings.sessions');
  const end = useAction(EndSessionDocument);
  const remove = useAction(DeletePasskeyDocument);
  const after = async (done: Promise<unknown>) => {
    if ((await done) !== undefined) {
      onChange();
    }
  };
  return (
    <>
      {sessions.length > 0 && (
        <Panel title={t('sessions')} flush>
          <Table label={t('sessions')} columns={[t('browser'), t('used'), '']}>
            {sessions.map((session) => (
              <tr key={session.id}>
                <th scope="row">
                  {session.userAgent || t('unknown')} {session.current && <Badge tone="accent">{t('this')}</Badge>}
                </th>
                <td data-label={t('used')}>
                  <When time={session.usedAt} />
                </td>
                <td>
                  {!session.current && (
                    <Button size="small" busy={end.busy} onClick={() => void after(end.act({ id: session.id }, t('ended')))}>
                      {t('end')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
      {passkeys.length > 0 && (
        <Panel title={t('passkeys')} flush>
          <Table label={t('passkeys')} columns={[t('name'), t('used'), '']}>
            {passkeys.map((passkey) => (
              <tr key={passkey.id}>
                <th scope="row">{passkey.name}</th>
                <td data-label={t('used')}>{passkey.usedAt === null ? t('never') : <When time={passkey.usedAt} />}</td>
                <td>
                  <Button
                    size="small"
                    look="danger"
                    busy={remove.busy}
                    onClick={() => void after(remove.act({ id: passkey.id }, t('deleted')))}
                  >
                    {t('delete')}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
    </>
  );
}
