import { useNavigate } from '@tanstack/react-router';
import { Camera, EllipsisVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Menu } from '../../../ui/Menu';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { DeleteGroupDocument, type Head } from './query';
import { useTaking } from './taking';

/** What can be done with a group as a whole. */
export function GroupActions({ group }: { group: Head }) {
  const t = useTranslations('group.actions');
  const navigate = useNavigate();
  const mayRun = useMay('RUN');
  const mayEdit = useMay('EDIT');
  const [deleting, setDeleting] = useState(false);
  const take = useTaking(group.id);
  const remove = useAction(DeleteGroupDocument);

  const drop = async () => {
    const data = await remove.act({ id: group.id }, t('deleted', { name: group.name }));
    if (data !== undefined) {
      void navigate({ to: '/sites' });
    }
  };

  const idle = !group.enabled || group.selectedChecksCount === 0;
  return (
    <>
      {mayRun && (
        <>
          <Button
            icon={<Camera aria-hidden="true" />}
            busy={take.busy}
            disabled={idle}
            onClick={() => void take.start('PRE')}
            title={t('beforeAbout')}
          >
            {t('before')}
          </Button>
          <Button
            look="primary"
            icon={<Camera aria-hidden="true" />}
            busy={take.busy}
            disabled={idle}
            onClick={() => void take.start('POST')}
            title={t('afterAbout')}
          >
            {t('after')}
          </Button>
        </>
      )}
      {mayEdit && (
        <Menu
          trigger={
            <Button look="quiet" aria-label={t('more')} title={t('more')}>
              <EllipsisVertical aria-hidden="true" />
            </Button>
          }
          items={[{ label: t('delete'), icon: <Trash2 aria-hidden="true" />, danger: true, run: () => setDeleting(true) }]}
        />
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteTitle', { name: group.name })}
        about={t('deleteAbout')}
        confirm={t('delete')}
        cancel={t('cancel')}
        busy={remove.busy}
        onConfirm={() => void drop()}
      />
    </>
  );
}
