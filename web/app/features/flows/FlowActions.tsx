import { Link, useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, buttonClass } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { DeleteFlowDocument, type FlowData } from './query';
import { groupOf, useRunning } from './running';

/** What can be done with a flow. */
export function FlowActions({ flow }: { flow: FlowData }) {
  const t = useTranslations('flows');
  const navigate = useNavigate();
  const mayRun = useMay('RUN');
  const mayEdit = useMay('EDIT');
  const [deleting, setDeleting] = useState(false);
  const remove = useAction(DeleteFlowDocument);
  const { run, busy } = useRunning();
  const group = groupOf(flow, flow.website);
  const drop = async () => {
    if ((await remove.act({ id: flow.id }, t('deleted', { name: flow.name }))) !== undefined) {
      void navigate({ to: '/sites/$websiteId', params: { websiteId: flow.websiteId } });
    }
  };
  return (
    <>
      {mayRun && (
        <Button
          look="primary"
          icon={<Play aria-hidden="true" />}
          busy={busy}
          disabled={group === undefined}
          title={group === undefined ? t('noGroup') : t('runAbout', { count: flow.checkpointsCount * flow.devices.length })}
          onClick={() => group !== undefined && void run(flow.id, group)}
        >
          {t('run')}
        </Button>
      )}
      {mayEdit && (
        <>
          <Link to="/flows/$flowId/edit" params={{ flowId: flow.id }} className={buttonClass()}>
            {t('edit')}
          </Link>
          <Button onClick={() => setDeleting(true)}>{t('delete')}</Button>
        </>
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteTitle', { name: flow.name })}
        about={t('deleteAbout')}
        confirm={t('delete')}
        cancel={t('cancel')}
        busy={remove.busy}
        onConfirm={() => void drop()}
      />
    </>
  );
}
