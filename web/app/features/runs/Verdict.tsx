import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { Panel } from '../../../ui/Panel';
import type { GateDecision, RunVerdictQuery } from '../../api/generated/graphql';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import css from './Verdict.module.css';
import { RunVerdictDocument, type RunHead } from './query';

const tones: Record<GateDecision, Tone> = { KEEP: 'good', ROLL_BACK: 'alert', ASK: 'unsure', NOT_YET: 'neutral' };

type Gate = NonNullable<RunVerdictQuery['batchGate']>;

/**
 * What to do with the update before a run, and why. Only for runs that an update started: after other changes, a person knows what there
 * is to be undone.
 */
export function Verdict({ run }: { run: RunHead }) {
  const asked = run.source === 'AUTO_UPDATE' && run.type === 'POST' && run.finishedAt !== null;
  return asked ? <Asked batchId={run.id} /> : null;
}

function Asked({ batchId }: { batchId: string }) {
  const { data, refresh } = useRefreshable({ query: RunVerdictDocument, variables: { id: batchId } });
  useLiveRefresh(['BATCH_FINISHED', 'BATCH_UPDATED', 'COMPARISON_STATUS_CHANGED', 'COMPARISON_SILENCED'], refresh, batchId);
  const gate = data?.batchGate;
  return gate === null || gate === undefined ? null : <Told gate={gate} />;
}

function Told({ gate }: { gate: Gate }) {
  const t = useTranslations('runs.verdict');
  const { decision, culprit, reasons } = gate;
  return (
    <div className={css.verdict}>
      <Panel title={t('title')} actions={<Badge tone={tones[decision]}>{t(`decision.${decision}`)}</Badge>}>
        <p>{t(`about.${decision}`)}</p>
        {culprit !== null && (
          <p>
            {t('culprit', { name: culprit.name })}
            {culprit.fromVersion !== null && culprit.toVersion !== null && ` (${culprit.fromVersion} → ${culprit.toVersion})`}
          </p>
        )}
        {reasons.length > 0 && (
          <ul className={css.reasons}>
            {reasons.map((reason) => (
              <li key={`${reason.kind} ${reason.sentence}`}>
                <Reason reason={reason} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

function Reason({ reason }: { reason: Gate['reasons'][number] }) {
  const t = useTranslations('runs.verdict');
  const [shown] = reason.comparisonIds;
  return (
    <>
      {reason.sentence}{' '}
      {shown !== undefined && (
        <Link to="/comparisons/$comparisonId" params={{ comparisonId: shown }} aria-label={t('showOf', { reason: reason.sentence })}>
          {t('show')}
        </Link>
      )}
      {reason.folded.length > 0 && <span className={css.folded}>{t('folded', { count: reason.folded.length })}</span>}
    </>
  );
}
