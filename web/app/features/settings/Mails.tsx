import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import type { MailsQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { More } from './More';
import css from './Settings.module.css';
import { MailsDocument } from './query';

const route = getRouteApi('/settings/mails');

type Mail = MailsQuery['mails']['nodes'][number];

/** The mails sent on behalf of the account. Their text is shown, never their HTML: it quotes captured pages. */
export function Mails() {
  const t = useTranslations('settings.mails');
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: MailsDocument, variables: { after: after ?? null } });
  const [open, setOpen] = useState<Mail>();
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ mails }) => (
        <Panel title={t('title')} flush>
          {mails.nodes.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <Table label={t('title')} columns={[t('subject'), t('recipient'), t('state'), t('when'), '']}>
              {mails.nodes.map((mail) => (
                <tr key={mail.id}>
                  <th scope="row">{mail.subject === null ? t('unsent') : <bdi>{mail.subject}</bdi>}</th>
                  <td data-label={t('recipient')}>
                    <bdi>{mail.recipient}</bdi>
                  </td>
                  <td>
                    <Badge tone={mail.state === 'SENT' ? 'good' : mail.state === 'FAILED' ? 'alert' : 'neutral'}>
                      {t(`states.${mail.state}`)}
                    </Badge>{' '}
                    {mail.problem}
                  </td>
                  <td>
                    <When time={mail.createdAt} />
                  </td>
                  <td>
                    {mail.text !== null && (
                      <Button size="small" onClick={() => setOpen(mail)}>
                        {t('read')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <More label={t('title')} pageInfo={mails.pageInfo} after={after} onGo={(next) => void navigate({ search: { after: next } })} />
          <Dialog
            open={open !== undefined}
            onOpenChange={(next) => !next && setOpen(undefined)}
            title={open?.subject ?? ''}
            closeLabel={t('close')}
            wide
          >
            <pre className={css.text} tabIndex={0}>
              {open?.text}
            </pre>
          </Dialog>
        </Panel>
      )}
    </Loaded>
  );
}
