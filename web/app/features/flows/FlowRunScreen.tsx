import { getRouteApi, Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Loading } from '../../../ui/States';
import { ownPath } from '../../api/image';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { When } from '../../shell/When';
import { useDifference } from '../../shell/difference';
import css from './Flows.module.css';
import { FlowRunDocument, type RunData, type RunStep } from './query';
import { runTones, stepTones, useStepWords } from './words';

const route = getRouteApi('/flow-runs/$runId');

/** A run of a flow: what became of each step, and what the window showed when one failed. */
export function FlowRunScreen() {
  const t = useTranslations('flows');
  const { runId: id } = route.useParams();
  const { data, error, refresh } = useRefreshable({ query: FlowRunDocument, variables: { id } });
  useLiveRefresh(
    [
      'QUEUE_STATUS_PROCESSING',
      'QUEUE_STATUS_DONE',
      'QUEUE_STATUS_FAILED',
      'FLOW_RUN_UPDATED',
      'FLOW_FAILED',
      'COMPARISON_CREATED',
      'BATCH_DELETED',
    ],
    refresh,
    data?.flowRun?.batchId,
  );
  const run = data?.flowRun;
  if ((error !== undefined && codeOf(error) === 'NOT_FOUND') || run === null) {
    return <Missing />;
  }
  if (run === undefined) {
    return (
      <Page title={t('runTitle')}>
        {error === undefined ? <Loading label={t('loading')} /> : <Loaded data={undefined} error={error} retry={refresh} />}
      </Page>
    );
  }
  const name = run.flow?.name ?? t('deletedFlow');
  const current = run.status === 'PROCESSING' ? run.steps.find((step) => step.status === null) : undefined;
  return (
    <Page title={t('runOf', { name })} heading={<bdi>{t('runOf', { name })}</bdi>} about={<About run={run} />}>
      <Outcome run={run} />
      <Panel title={t('steps')} flush>
        <ol className={css.steps}>
          {run.steps.map((step) => (
            <Step key={step.id} step={step} running={step === current} picture={step.status === 'FAILED' ? run.pictureLink : null} />
          ))}
        </ol>
      </Panel>
    </Page>
  );
}

function About({ run }: { run: RunData }) {
  const t = useTranslations('flows');
  const device = useTranslations('device');
  const type = useTranslations('runType');
  return (
    <span className={css.about}>
      {run.flow !== null && (
        <>
          <Link to="/flows/$flowId" params={{ flowId: run.flow.id }}>
            {t('toFlow')}
          </Link>
          {' · '}
        </>
      )}
      <Link to="/runs/$batchId" params={{ batchId: run.batchId }} search={{ view: 'changes' }}>
        <bdi>{run.batch?.name ?? t('toRun')}</bdi>
      </Link>
      {' · '}
      {run.scType !== 'COMPARE' && `${type(run.scType)} · `}
      {device(run.device)} · <When time={run.createdAt} />
    </span>
  );
}

/** What became of the run as a whole. Changes are read out. */
function Outcome({ run }: { run: RunData }) {
  const t = useTranslations('flows');
  const failed = run.steps.findIndex((step) => step.status === 'FAILED');
  return (
    <div className={css.outcome} role="status">
      <Badge tone={runTones[run.status]}>{t(`status.${run.status}`)}</Badge>
      <span>
        {failed >= 0
          ? t('failedAt', { number: failed + 1, does: run.steps[failed]?.does ?? '' })
          : (run.errorMsg ?? t(`outcome.${run.status}`, { count: run.steps.length }))}
      </span>
    </div>
  );
}

function Step({ step, running, picture }: { step: RunStep; running: boolean; picture: string | null }) {
  const t = useTranslations('flows');
  const format = useFormatter();
  const words = useStepWords();
  return (
    <li className={css.step}>
      <span className={css.kind}>
        {t(`types.${step.type}`)}
        {step.status !== null && <Badge tone={stepTones[step.status]}>{t(`stepStatus.${step.status}`)}</Badge>}
        {running && <Badge tone={runTones.PROCESSING}>{t('stepStatus.RUNNING')}</Badge>}
      </span>
      <div className={css.words}>
        <p>
          <bdi>{words(step) || step.does}</bdi>
          {step.durationMs !== null && (
            <span className={css.quiet}>
              {' '}
              {t('seconds', { seconds: format.number(step.durationMs / 1000, { maximumFractionDigits: 1 }) })}
            </span>
          )}
        </p>
        {step.error !== null && <p className={css.error}>{step.error}</p>}
        {step.assertion?.actual != null && step.status === 'FAILED' && (
          <p className={css.quiet}>{t('actual', { actual: step.assertion.actual })}</p>
        )}
        {picture !== null && (
          <a href={ownPath(picture)} target="_blank" rel="noreferrer">
            <img className={css.window} src={ownPath(picture)} alt={t('windowAlt')} loading="lazy" decoding="async" />
          </a>
        )}
        {step.checkpoint !== null && <Checkpoint checkpoint={step.checkpoint} name={step.label ?? ''} />}
      </div>
    </li>
  );
}

function Checkpoint({ checkpoint, name }: { checkpoint: NonNullable<RunStep['checkpoint']>; name: string }) {
  const t = useTranslations('flows');
  const difference = useDifference();
  const status = useTranslations('status');
  const { screenshot, comparison } = checkpoint;
  const link = screenshot?.previewLink ?? screenshot?.link;
  return (
    <>
      {link != null && (
        <a href={ownPath(screenshot?.link ?? link)} target="_blank" rel="noreferrer">
          <img className={css.picture} src={ownPath(link)} alt={t('pictureAlt', { name })} loading="lazy" decoding="async" />
        </a>
      )}
      {comparison !== null && (
        <p>
          <Link to="/comparisons/$comparisonId" params={{ comparisonId: comparison.id }}>
            {t('compared', { percent: difference(comparison), status: status(comparison.status) })}
          </Link>
        </p>
      )}
      {comparison === null && checkpoint.baseline && screenshot !== null && <p className={css.quiet}>{t('baseline')}</p>}
      {checkpoint.errorMsg !== null && <p className={css.quiet}>{checkpoint.errorMsg}</p>}
    </>
  );
}
