import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { Empty, Loading } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { When } from '../../shell/When';
import { FlowActions } from './FlowActions';
import css from './Flows.module.css';
import { Pager } from './Pager';
import { FlowDocument, FlowRunsDocument, type FlowData } from './query';
import { runTones, useStepWords } from './words';

const route = getRouteApi('/flows/$flowId');

/** A flow: its steps, and its runs. */
export function FlowScreen() {
  const t = useTranslations('flows');
  const { flowId: id } = route.useParams();
  const { data, error, refresh } = useRefreshable({ query: FlowDocument, variables: { id } });
  useLiveRefresh(['WEBSITE_UPDATED'], refresh);
  const flow = data?.flow;
  if ((error !== undefined && codeOf(error) === 'NOT_FOUND') || flow === null) {
    return <Missing />;
  }
  if (flow === undefined) {
    return (
      <Page title={t('title')}>
        {error === undefined ? <Loading label={t('loading')} /> : <Loaded data={undefined} error={error} retry={refresh} />}
      </Page>
    );
  }
  return (
    <Page title={flow.name} heading={<bdi>{flow.name}</bdi>} about={<About flow={flow} />} actions={<FlowActions flow={flow} />}>
      <Runs id={id} />
      <Steps flow={flow} />
    </Page>
  );
}

function About({ flow }: { flow: FlowData }) {
  const t = useTranslations('flows');
  const device = useTranslations('device');
  return (
    <span className={css.about}>
      {flow.website !== null && (
        <>
          <Link to="/sites/$websiteId" params={{ websiteId: flow.website.id }}>
            <bdi>{flow.website.domain}</bdi>
          </Link>
          {' · '}
        </>
      )}
      {flow.devices.map((each) => device(each)).join(', ')}
      {' · '}
      {t('counts', { steps: flow.stepsCount, checkpoints: flow.checkpointsCount })}
    </span>
  );
}

function Steps({ flow }: { flow: FlowData }) {
  const t = useTranslations('flows');
  const words = useStepWords();
  return (
    <Panel title={t('steps')} flush>
      <ol className={css.steps}>
        <li className={css.step}>
          <span className={css.kind}>{t('types.NAVIGATE')}</span>
          <bdi className={css.words}>{flow.url}</bdi>
        </li>
        {flow.steps.map((step) => (
          <li key={step.id} className={css.step}>
            <span className={css.kind}>{t(`types.${step.type}`)}</span>
            <span className={css.words}>
              <bdi>{words(step)}</bdi>
              {step.type !== 'CHECKPOINT' && step.label !== null && <bdi className={css.quiet}> {step.label}</bdi>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Runs({ id }: { id: string }) {
  const t = useTranslations('flows');
  const device = useTranslations('device');
  const type = useTranslations('runType');
  const navigate = route.useNavigate();
  const { page = 1 } = route.useSearch();
  const { data, error, refresh } = useRefreshable({ query: FlowRunsDocument, variables: { id, page } });
  useLiveRefresh(
    ['QUEUE_STATUS_PROCESSING', 'QUEUE_STATUS_DONE', 'QUEUE_STATUS_FAILED', 'QUEUE_STATUS_OPEN', 'FLOW_FAILED', 'BATCH_DELETED'],
    refresh,
  );
  return (
    <Panel title={t('runs')} flush>
      <Loaded data={data} error={error} retry={refresh}>
        {({ flowRuns }) =>
          flowRuns.nodes.length === 0 ? (
            <Empty title={t('noRuns')}>{t('noRunsAbout')}</Empty>
          ) : (
            <>
              <Table label={t('runs')} columns={[t('started'), t('kind'), t('device'), t('result')]}>
                {flowRuns.nodes.map((run) => (
                  <tr key={run.id}>
                    <th scope="row">
                      <Link to="/flow-runs/$runId" params={{ runId: run.id }}>
                        <When time={run.createdAt} />
                      </Link>
                    </th>
                    <td>{run.scType === 'COMPARE' ? '' : type(run.scType)}</td>
                    <td>{device(run.device)}</td>
                    <td>
                      <Badge tone={runTones[run.status]}>{t(`status.${run.status}`)}</Badge>
                    </td>
                  </tr>
                ))}
              </Table>
              <Pager
                total={flowRuns.totalCount}
                perPage={20}
                page={page}
                onChange={(next) => void navigate({ search: { page: next }, replace: true })}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
