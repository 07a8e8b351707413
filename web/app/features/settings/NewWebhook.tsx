import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import type { WebhookEvent } from '../../api/generated/graphql';
import { useAction } from '../../shell/action';
import { CreateWebhookDocument } from './webhookQuery';

const events = [
  'COMPARISON_STATUS_NEW',
  'BATCH_FINISHED',
  'COMPARISON_SILENCED',
  'COMPARISON_REVIEWED',
  'QUEUE_STATUS_DONE',
  'QUEUE_STATUS_FAILED',
  'RUN_MISSED',
  'CHECKS_LOW',
] as const;

interface Props {
  open: boolean;
  groups: readonly { id: string; name: string }[];
  websites: readonly { id: string; domain: string }[];
  onClose: () => void;
  onCreated: () => void;
}

export function NewWebhook({ open, groups, websites, onClose, onCreated }: Props) {
  const t = useTranslations('settings.webhooks');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<WebhookEvent[]>(['COMPARISON_STATUS_NEW']);
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [websiteIds, setWebsiteIds] = useState<string[]>([]);
  const { act, busy, problems } = useAction(CreateWebhookDocument);
  const create = async () => {
    const event = chosen[0];
    if (event !== undefined && (await act({ input: { url, event, events: chosen, groupIds, websiteIds } }, t('created'))) !== undefined) {
      setUrl('');
      onCreated();
      onClose();
    }
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('add')} closeLabel={t('cancel')} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextField label={t('url')} hint={t('urlAbout')} type="url" value={url} onChange={(event) => setUrl(event.target.value)} problem={problems['url']} maxLength={2048} required />
        <Choices
          label={t('events')}
          options={events.map((value) => ({ value, label: t(`event.${value}`) }))}
          chosen={events.filter((event) => chosen.includes(event))}
          onChange={setChosen}
          problem={chosen.length === 0 ? t('noEvent') : problems['events']}
        />
        {websites.length > 0 && (
          <Choices label={t('websites')} options={websites.map(({ id, domain }) => ({ value: id, label: domain }))} chosen={websiteIds} onChange={setWebsiteIds} problem={problems['websiteIds']} />
        )}
        {groups.length > 0 && (
          <Choices label={t('groups')} hint={t('scopeAbout')} options={groups.map(({ id, name }) => ({ value: id, label: name }))} chosen={groupIds} onChange={setGroupIds} problem={problems['groupIds']} />
        )}
        <Button type="submit" look="primary" busy={busy} disabled={chosen.length === 0}>
          {t('create')}
        </Button>
      </form>
    </Dialog>
  );
}
