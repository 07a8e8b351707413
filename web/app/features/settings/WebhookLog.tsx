import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { SwitchField } from '../../../ui/Switch';
import { codeOf } from '../../api/problem';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { Deliveries } from './Deliveries';
import css from './Settings.module.css';
import { DeleteWebhookDocument, EnableWebhookDocument, PingDocument, WebhookLogDocument } from './webhookQuery';

const route = getRouteApi('/settings/webhooks/$webhookId');

/** One webhook: whether it is enabled, and what was delivered to it, attempt by attempt. */
export function WebhookLog() {
  const t = useTranslations('settings.webhooks');
  const { webhookId: id } = route.useParams();
  const navigate = useNavigate();
  const mayEdit = useMay('EDIT');
  const [{ data, error }, ask] = useQuery({ query: WebhookLogDocument, variables: { id } });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  const [deleting, setDeleting] = useState(false);
  const ping = useAction(PingDocument);
  const enable = useAction(EnableWebhookDocument);
  const remove = useAction(DeleteWebhookDocument);
  if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
    return <Missing />;
  }
  const sendPing = async () => {
    if ((await ping.act({ id }, t('pinged'))) !== undefined) {
      refresh();
    }
  };
  const drop = async () => {
    if ((await remove.act({ id }, t('deleted'))) !== undefined) {
      void navigate({ to: '/settings/webhooks' });
    }
  };
  const actions = (
    <span className={css.buttons}>
      <Button size="small" onClick={refresh}>
        {t('refresh')}
      </Button>
      {mayEdit && (
        <>
          <Button size="small" busy={ping.busy} onClick={() => void sendPing()}>
            {t('ping')}
          </Button>
          <Button size="small" look="danger" onClick={() => setDeleting(true)}>
            {t('delete')}
          </Button>
        </>
      )}
    </span>
  );
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ webhook, webhookDeliveries }) => (
        <>
          <Panel title={webhook?.url} actions={actions}>
            <SwitchField
              label={t('enabled')}
              hint={webhook?.disabledAt !== null ? t('disabledAbout') : webhook.failingSince !== null ? t('failingAbout') : undefined}
              checked={webhook?.disabledAt === null}
              disabled={!mayEdit || enable.busy}
              onChange={(enabled) => void enable.act({ id, enabled }, t('saved'))}
            />
          </Panel>
          <Panel title={t('log')} flush>
            {webhookDeliveries.nodes.length === 0 ? (
              <Empty title={t('noDeliveries')}>{t('noDeliveriesAbout')}</Empty>
            ) : (
              <Deliveries deliveries={webhookDeliveries.nodes} onChange={refresh} />
            )}
          </Panel>
          <Confirm open={deleting} onClose={() => setDeleting(false)} title={t('deleteTitle')} about={webhook?.url} confirm={t('delete')} cancel={t('cancel')} busy={remove.busy} onConfirm={() => void drop()} />
        </>
      )}
    </Loaded>
  );
}
