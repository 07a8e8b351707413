import { useNavigate } from '@tanstack/react-router';
import { ExternalLink, EllipsisVertical, FileDown, Pencil, RotateCcw, Share2, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { Confirm } from '../../../ui/Confirm';
import { Menu, type MenuItem } from '../../../ui/Menu';
import { tell } from '../../../ui/Toasts';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { RenameDialog } from './RenameDialog';
import { ShareDialog } from './ShareDialog';
import { CancelRun, DeleteRun, RetryFailed, type RunHead } from './query';

/** What can be done with a run as a whole. */
export function RunActions({ run }: { run: RunHead }) {
  const t = useTranslations('runs');
  const mayRun = useMay('RUN');
  const mayReview = useMay('REVIEW');
  const [shown, setShown] = useState<'sharing' | 'renaming' | 'deleting'>();
  const cancel = useAction(CancelRun);
  const retry = useAction(RetryFailed);
  const close = () => setShown(undefined);
  const retryNow = async (repeatChanges = false) => {
    const data = await retry.act({ id: run.id, repeatChanges });
    if (data !== undefined) {
      const { count, heldBack } = data.retryFailed;
      tell({
        title: t('retried', { count }),
        ...(heldBack > 0 && {
          description: t('heldBack', { count: heldBack }),
          action: { label: t('repeatChanges'), run: () => void retryNow(true) },
        }),
      });
    }
  };
  const items = useMenu(run, setShown);
  return (
    <>
      {mayRun && run.queuesCount.failed > 0 && (
        <Button icon={<RotateCcw aria-hidden="true" />} busy={retry.busy} onClick={() => void retryNow()}>
          {t('retryFailed', { count: run.queuesCount.failed })}
        </Button>
      )}
      {mayRun && run.finishedAt === null && (
        <Button
          look="danger"
          icon={<Square aria-hidden="true" />}
          busy={cancel.busy}
          onClick={() => void cancel.act({ id: run.id }, t('cancelled'))}
        >
          {t('cancel')}
        </Button>
      )}
      {mayReview && (
        <Button icon={<Share2 aria-hidden="true" />} onClick={() => setShown('sharing')}>
          {t('share')}
        </Button>
      )}
      <Menu trigger={<IconButton label={t('moreActions')} icon={<EllipsisVertical aria-hidden="true" />} />} items={items} />
      <ShareDialog run={run} open={shown === 'sharing'} onOpenChange={(open) => setShown(open ? 'sharing' : undefined)} />
      {shown === 'renaming' && <RenameDialog run={run} onClose={close} />}
      <DeleteDialog run={run} open={shown === 'deleting'} onClose={close} />
    </>
  );
}

/** What is done less often. A run under way cannot be deleted: it is cancelled first. */
function useMenu(run: RunHead, show: (dialog: 'renaming' | 'deleting') => void): MenuItem[] {
  const t = useTranslations('runs');
  const locale = useLocale();
  const mayEdit = useMay('EDIT');
  const link = run.publicLink;
  const openTab = (url: string) => () => window.open(url, '_blank', 'noopener');
  const items: MenuItem[] = [
    { label: t('report'), icon: <FileDown aria-hidden="true" />, run: openTab(`/reports/${run.id}.pdf?lang=${locale}`) },
  ];
  if (link !== null) {
    items.push({ label: t('openPublic'), icon: <ExternalLink aria-hidden="true" />, run: openTab(link.url) });
  }
  if (mayEdit) {
    items.push({ label: t('rename'), icon: <Pencil aria-hidden="true" />, run: () => show('renaming') });
  }
  if (mayEdit && run.finishedAt !== null) {
    items.push({ label: t('delete'), icon: <Trash2 aria-hidden="true" />, danger: true, run: () => show('deleting') });
  }
  return items;
}

function DeleteDialog({ run, open, onClose }: { run: RunHead; open: boolean; onClose: () => void }) {
  const t = useTranslations('runs');
  const navigate = useNavigate();
  const { act, busy } = useAction(DeleteRun);
  const deleteNow = async () => {
    onClose();
    if ((await act({ id: run.id }, t('deleted', { name: run.name }))) !== undefined) {
      void navigate({ to: '/runs', replace: true });
    }
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('deleteTitle', { name: run.name })}
      about={t('deleteAbout')}
      confirm={t('delete')}
      cancel={t('keep')}
      busy={busy}
      onConfirm={() => void deleteNow()}
    />
  );
}
