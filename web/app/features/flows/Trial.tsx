import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Confirm } from '../../../ui/Confirm';
import { Dialog } from '../../../ui/Dialog';
import { ownPath } from '../../api/image';
import css from './Flows.module.css';
import type { TrialData } from './query';
import type { Tried } from './useTrial';
import { runTones, stepTones } from './words';

/** What became of a trial as a whole. Changes are read out. */
export function TrialOutcome({ trial, expired }: { trial: TrialData | undefined; expired: boolean }) {
  const t = useTranslations('flows');
  const failed = trial?.steps.findIndex((step) => step.status === 'FAILED') ?? -1;
  return (
    <div role="status">
      {expired && <p className={css.quiet}>{t('trial.expired')}</p>}
      {!expired && trial !== undefined && (
        <p className={css.buttons}>
          <Badge tone={runTones[trial.status]}>{t(`status.${trial.status}`)}</Badge>
          <span>
            {failed >= 0
              ? t('failedAt', { number: failed + 1, does: trial.steps[failed]?.does ?? '' })
              : (trial.errorMsg ?? t(`trial.outcome.${trial.status}`, { count: trial.steps.length }))}
          </span>
        </p>
      )}
    </div>
  );
}

/** What a trial tells of a step: what the window showed before, whether it succeeded, and why not. */
export function TriedStep({ number, tried }: { number: number; tried: Tried | undefined }) {
  const t = useTranslations('flows');
  if (tried === undefined) {
    return null;
  }
  return (
    <div className={css.tried}>
      {tried.before !== null && <Window name={t('trial.before', { number })} {...tried.before} />}
      {tried.status === 'RUNNING' && <Badge tone={runTones.PROCESSING}>{t('stepStatus.RUNNING')}</Badge>}
      {tried.status !== null && tried.status !== 'RUNNING' && (
        <Badge tone={stepTones[tried.status]}>{t(`stepStatus.${tried.status}`)}</Badge>
      )}
      {tried.error !== null && <p className={css.error}>{tried.error}</p>}
      {tried.after !== null && <Window name={t('trial.after', { number })} {...tried.after} />}
    </div>
  );
}

/** A small picture of the window, which can be enlarged. */
function Window({ name, link, preview }: { name: string; link: string; preview: string }) {
  const t = useTranslations('flows.trial');
  const [open, setOpen] = useState(false);
  return (
    <figure className={css.figure}>
      <button type="button" className={css.enlarge} aria-label={t('enlarge', { name })} onClick={() => setOpen(true)}>
        <img className={css.preview} src={ownPath(preview)} alt="" decoding="async" />
      </button>
      <figcaption className={css.quiet}>{name}</figcaption>
      <Dialog open={open} onOpenChange={setOpen} title={name} closeLabel={t('close')} wide textOnly>
        <img className={css.full} src={ownPath(link)} alt={name} decoding="async" />
      </Dialog>
    </figure>
  );
}

interface AskProps {
  /** The numbers of the steps that have a lasting effect; empty for nothing to be asked. */
  steps: readonly number[];
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before steps with a lasting effect are tried. */
export function AskForChanges({ steps, onClose, onConfirm }: AskProps) {
  const t = useTranslations('flows');
  return (
    <Confirm
      open={steps.length > 0}
      onClose={onClose}
      title={t('trial.askTitle')}
      about={t('trial.askAbout', { count: steps.length, numbers: steps.join(', ') })}
      confirm={t('trial.ask')}
      cancel={t('cancel')}
      onConfirm={onConfirm}
    />
  );
}
