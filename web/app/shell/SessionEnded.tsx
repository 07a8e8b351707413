import { useTranslations } from 'use-intl';

import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { goToSignIn, sessionEnded } from '../api/session';
import { useStore } from '../api/store';

/** The session has ended while the page was open: what was decided is stored, and the way back leads here. */
export function SessionEnded() {
  const t = useTranslations('shell');
  const ended = useStore(sessionEnded);
  return (
    <Dialog
      open={ended}
      onOpenChange={() => undefined}
      title={t('signedOut')}
      about={t('signedOutAbout')}
      closeLabel={t('dismiss')}
      actions={
        <Button look="primary" onClick={goToSignIn}>
          {t('signInAgain')}
        </Button>
      }
    >
      {null}
    </Dialog>
  );
}
