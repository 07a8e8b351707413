import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { useAction } from '../../shell/action';
import { Secret } from './Secret';
import { RotateSecretDocument } from './webhookQuery';

/** Replaces the secret that signs the webhooks, and shows the new one. */
export function RotateSecret() {
  const t = useTranslations('settings.webhooks');
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { act, busy } = useAction(RotateSecretDocument);
  const rotate = async () => {
    const data = await act({});
    setAsking(false);
    setSecret(data?.rotateWebhookSecret.account.webhookSecret);
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('rotate')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('rotateTitle')}
        about={t('rotateAbout')}
        confirm={t('rotate')}
        cancel={t('cancel')}
        busy={busy}
        onConfirm={() => void rotate()}
      />
      <Dialog
        open={secret !== undefined}
        onOpenChange={(next) => !next && setSecret(undefined)}
        title={t('newSecret')}
        closeLabel={t('cancel')}
      >
        <Secret about={t('newSecretAbout')} text={secret ?? ''} done={t('done')} onDone={() => setSecret(undefined)} />
      </Dialog>
    </>
  );
}
