import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { SwitchField } from '../../../ui/Switch';
import { tell } from '../../../ui/Toasts';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { Deliveries } from './Deliveries';
import { More } from './More';
import css from './Settings.module.css';
import { WebhookForm } from './WebhookForm';
import { deliveryStates } from './search';
import { DeleteWebhookDocument, EnableWebhookDocument, PingDocument, RedeliverFailedDocument, WebhookLogDocument } from './webhookQuery';

const route = getRouteApi('/settings/webhooks/$webhookId');

/** One webhook: whether it is enabled, and what was delivered to it, attempt by attempt. */
export function WebhookLog() {
  const t = useTranslations('settings.webhooks');
  const { webhookId: id } = route.useParams();
  const navigate = useNavigate();
  const goTo = route.useNavigate();
  const mayEdit = useMay('EDIT');
  const { state, after } = route.useSearch();
  const variables = { id, states: state === undefined ? null : [state], after: after ?? null };
  const { data, error, refresh } = useRefreshable({ query: WebhookLogDocument, variables });
  useLiveRefresh(['WEBHOOK_DISABLED'], refresh);
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const ping = useAction(PingDocument);
  const enable = useAction(EnableWebhookDocument);
  const remove = useAction(DeleteWebhookDocument);
  const again = useAction(RedeliverFailedDocument);
  if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
    return <Missing />;
  }
  const sendPing = async () => {
    if ((await ping.act({ id }, t('pinged'))) !== undefined) {
      refresh();
    }
  };
  const redeliverFailed = async () => {
    const done = await again.act({ id });
    if (done !== undefined) {
      tell({ title: t('restartedMany', { count: done.redeliverMany.count }) });
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
          <Button size="small" onClick={() => setDoing('edit')}>
            {t('edit')}
          </Button>
          <Button size="small" look="danger" onClick={() => setDoing('delete')}>
            {t('delete')}
          </Button>
        </>
      )}
    </span>
  );
  const tools = (
    <span className={css.buttons}>
      <select
        className={css.select}
        aria-label={t('state')}
        value={state ?? ''}
        onChange={(event) => void goTo({ search: { state: deliveryStates.find((each) => each === event.target.value) }, replace: true })}
      >
        <option value="">{t('anyState')}</option>
        {deliveryStates.map((each) => (
          <option key={each} value={each}>
            {t(`states.${each}`)}
          </option>
        ))}
      </select>
      {mayEdit && (
        <Button size="small" busy={again.busy} onClick={() => void redeliverFailed()}>
          {t('redeliverFailed')}
        </Button>
      )}
    </span>
  );
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ webhook, webhookDeliveries, groups, websites }) => (
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
          <Panel title={t('log')} actions={tools} flush>
            {webhookDeliveries.nodes.length === 0 ? (
              <Empty title={state === undefined ? t('noDeliveries') : t('noneOfState')}>
                {state === undefined && t('noDeliveriesAbout')}
              </Empty>
            ) : (
              <Deliveries deliveries={webhookDeliveries.nodes} onChange={refresh} />
            )}
            <More
              label={t('log')}
              pageInfo={webhookDeliveries.pageInfo}
              after={after}
              onGo={(next) => void goTo({ search: { state, after: next } })}
            />
          </Panel>
          {doing === 'edit' && webhook !== null && (
            <WebhookForm
              webhook={webhook}
              groups={groups.nodes}
              websites={websites.nodes}
              onClose={() => setDoing(undefined)}
              onSaved={refresh}
            />
          )}
          <Confirm
            open={doing === 'delete'}
            onClose={() => setDoing(undefined)}
            title={t('deleteTitle')}
            about={webhook?.url}
            confirm={t('delete')}
            cancel={t('cancel')}
            busy={remove.busy}
            onConfirm={() => void drop()}
          />
        </>
      )}
    </Loaded>
  );
}
