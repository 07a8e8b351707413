import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { DeleteWebsiteDocument } from './query';

export function DeleteWebsite({ id, domain }: { id: string; domain: string }) {
  const t = useTranslations('website.deleting');
  const navigate = useNavigate();
  const mayEdit = useMay('EDIT');
  const [asking, setAsking] = useState(false);
  const { act, busy } = useAction(DeleteWebsiteDocument);
  const drop = async () => {
    if ((await act({ id }, t('done', { domain }))) !== undefined) {
      void navigate({ to: '/sites' });
    }
  };
  if (!mayEdit) {
    return null;
  }
  return (
    <>
      <Button look="quiet" icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('title', { domain })}
        about={t('about')}
        confirm={t('delete')}
        cancel={t('cancel')}
        busy={busy}
        onConfirm={() => void drop()}
      />
    </>
  );
}
