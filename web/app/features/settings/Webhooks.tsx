import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useMay } from '../../shell/viewer';
import { RotateSecret } from './RotateSecret';
import css from './Settings.module.css';
import { WebhookForm } from './WebhookForm';
import { WebhooksDocument, type Webhook } from './webhookQuery';

/** The webhooks of the account. */
export function Webhooks() {
  const t = useTranslations('settings.webhooks');
  const { data, error, refresh } = useRefreshable({ query: WebhooksDocument });
  useLiveRefresh(['WEBHOOK_DISABLED'], refresh);
  const [adding, setAdding] = useState(false);
  const mayEdit = useMay('EDIT');
  const mayOwn = useMay('OWN');
  const actions = (
    <span className={css.buttons}>
      {mayOwn && <RotateSecret />}
      {mayEdit && (
        <Button look="primary" size="small" onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      )}
    </span>
  );
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ webhooks, groups, websites }) => (
        <Panel title={t('title')} actions={actions} flush>
          {webhooks.nodes.length === 0 ? (
            <Empty title={t('empty')}>{t('emptyAbout')}</Empty>
          ) : (
            <Table label={t('title')} columns={[t('url'), t('events'), t('scope'), t('state')]}>
              {webhooks.nodes.map((webhook) => (
                <tr key={webhook.id}>
                  <th scope="row">
                    <Link to="/settings/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                      {webhook.url}
                    </Link>
                  </th>
                  <td>
                    <span className={css.badges}>
                      {webhook.events.map((event) => (
                        <Badge key={event}>{t(`event.${event}`)}</Badge>
                      ))}
                    </span>
                  </td>
                  <td>{t('scopeOf', { count: webhook.groupIds.length + webhook.websiteIds.length })}</td>
                  <td>
                    <State webhook={webhook} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
          {adding && <WebhookForm groups={groups.nodes} websites={websites.nodes} onClose={() => setAdding(false)} onSaved={refresh} />}
        </Panel>
      )}
    </Loaded>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('settings.webhooks');
  if (webhook.disabledAt !== null) {
    return <Badge tone="alert">{t('disabled')}</Badge>;
  }
  return webhook.failingSince === null ? <Badge tone="good">{t('enabled')}</Badge> : <Badge tone="unsure">{t('failing')}</Badge>;
}
