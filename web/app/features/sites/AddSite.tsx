import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField, TextField } from '../../../ui/Field';
import { SwitchField } from '../../../ui/Switch';
import { useAction } from '../../shell/action';
import { AddGroupDocument, AddWebsiteDocument } from './query';

type Kind = 'group' | 'website';

/** Asks for a group, or for a website with its two groups, creates it and goes there. */
export function AddSite({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('sites.adding');
  const navigate = useNavigate();
  const [kind, setKind] = useState<Kind>('group');
  const [name, setName] = useState('');
  const [monitoring, setMonitoring] = useState(true);
  const addGroup = useAction(AddGroupDocument);
  const addWebsite = useAction(AddWebsiteDocument);
  const made = useRef<{ manual?: string | undefined; auto?: string | undefined }>({});
  const busy = addGroup.busy || addWebsite.busy;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const created = kind === 'group' ? await createGroup() : await createWebsite();
    if (created) {
      onClose();
      setName('');
    }
  };

  const createGroup = async () => {
    const data = await addGroup.act({ input: { name, monitoring } });
    if (data !== undefined) {
      void navigate({ to: '/groups/$groupId', params: { groupId: data.createGroup.group.id } });
    }
    return data !== undefined;
  };

  // Groups that exist already when the domain is refused are used by the next attempt.
  const ensureGroup = async (key: 'manual' | 'auto', groupName: string) => {
    made.current[key] ??= (await addGroup.act({ input: { name: groupName, monitoring: key === 'auto' } }))?.createGroup.group.id;
    return made.current[key];
  };

  const createWebsite = async () => {
    const manualDetectionGroupId = await ensureGroup('manual', t('manualName', { domain: name }));
    const autoDetectionGroupId = manualDetectionGroupId && (await ensureGroup('auto', t('autoName', { domain: name })));
    if (!manualDetectionGroupId || !autoDetectionGroupId) {
      return false;
    }
    const data = await addWebsite.act({ input: { domain: name, manualDetectionGroupId, autoDetectionGroupId } });
    if (data !== undefined) {
      made.current = {};
      void navigate({ to: '/sites/$websiteId', params: { websiteId: data.createWebsite.website.id } });
    }
    return data !== undefined;
  };

  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('title')} closeLabel={t('cancel')}>
      <form onSubmit={(event) => void submit(event)}>
        <SelectField
          label={t('kind')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'group', label: t('group') },
            { value: 'website', label: t('website') },
          ]}
          hint={t(`${kind}About`)}
        />
        <TextField
          label={kind === 'group' ? t('name') : t('domain')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={kind === 'group' ? addGroup.problems['name'] : addWebsite.problems['domain']}
          placeholder={kind === 'group' ? t('nameExample') : 'www.example.com'}
          maxLength={255}
          required
        />
        {kind === 'group' && (
          <SwitchField label={t('monitoring')} hint={t('monitoringAbout')} checked={monitoring} onChange={setMonitoring} />
        )}
        <Button type="submit" look="primary" busy={busy}>
          {t('create')}
        </Button>
      </form>
    </Dialog>
  );
}
