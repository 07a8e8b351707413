import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import type { WebhookEvent } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { CreateWebhookDocument, UpdateWebhookDocument, type Webhook } from './webhookQuery';

const events = [
  'COMPARISON_STATUS_NEW',
  'BATCH_FINISHED',
  'BATCH_DECIDED',
  'COMPARISON_SILENCED',
  'COMPARISON_REVIEWED',
  'QUEUE_STATUS_DONE',
  'QUEUE_STATUS_FAILED',
  'FLOW_FAILED',
  'RUN_MISSED',
  'CHECKS_LOW',
] as const;

interface Props {
  /** The one to change; none to add one. */
  webhook?: Pick<Webhook, 'id' | 'url' | 'events' | 'groupIds' | 'websiteIds'> | undefined;
  groups: readonly { id: string; name: string }[];
  websites: readonly { id: string; domain: string }[];
  onClose: () => void;
  onSaved: () => void;
}

/** Of an account with very many groups, not all are offered: those chosen elsewhere stay chosen. */
const unlisted = (ids: readonly string[], offered: readonly { id: string }[]) =>
  ids.filter((id) => offered.every((each) => each.id !== id));

/** Adds a webhook or changes one: where to, which events, of which sites. */
export function WebhookForm({ webhook, groups, websites, onClose, onSaved }: Props) {
  const t = useTranslations('settings.webhooks');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<readonly WebhookEvent[]>(webhook?.events ?? ['COMPARISON_STATUS_NEW']);
  const [groupIds, setGroupIds] = useState<readonly string[]>(webhook?.groupIds ?? []);
  const [websiteIds, setWebsiteIds] = useState<readonly string[]>(webhook?.websiteIds ?? []);
  const create = useAction(CreateWebhookDocument);
  const update = useAction(UpdateWebhookDocument);
  const { busy, problems } = webhook === undefined ? create : update;

  const save = async () => {
    const [event] = chosen;
    if (event === undefined) {
      return;
    }
    const input = { url, event, events: [...chosen], groupIds: [...groupIds], websiteIds: [...websiteIds] };
    const saved =
      webhook === undefined ? await create.act({ input }, t('created')) : await update.act({ id: webhook.id, input }, t('saved'));
    if (saved !== undefined) {
      onSaved();
      onClose();
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={webhook === undefined ? t('add') : t('editTitle')}
      closeLabel={t('cancel')}
      wide
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('url')}
          hint={t('urlAbout')}
          type="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          problem={problems['url']}
          maxLength={2048}
          required
        />
        <Choices
          label={t('events')}
          options={events.map((value) => ({ value, label: t(`event.${value}`) }))}
          chosen={events.filter((event) => chosen.includes(event))}
          onChange={setChosen}
          problem={chosen.length === 0 ? t('noEvent') : problems['events']}
        />
        {websites.length > 0 && (
          <Choices
            label={t('websites')}
            options={websites.map(({ id, domain }) => ({ value: id, label: domain }))}
            chosen={websiteIds}
            onChange={(ids) => setWebsiteIds([...unlisted(websiteIds, websites), ...ids])}
            problem={problems['websiteIds']}
          />
        )}
        {groups.length > 0 && (
          <Choices
            label={t('groups')}
            hint={t('scopeAbout')}
            options={groups.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={groupIds}
            onChange={(ids) => setGroupIds([...unlisted(groupIds, groups), ...ids])}
            problem={problems['groupIds']}
          />
        )}
        <Button type="submit" look="primary" busy={busy} disabled={chosen.length === 0}>
          {webhook === undefined ? t('create') : t('save')}
        </Button>
      </form>
    </Dialog>
  );
}
