import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { buttonClass } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { useMay } from '../../shell/viewer';
import css from './Flows.module.css';
import { Pager } from './Pager';
import { FlowsOfWebsiteDocument, type ListedFlow } from './query';
import { runTones } from './words';

/** The flows of a website, with what became of the last run of each. */
export function FlowsPanel({ websiteId }: { websiteId: string }) {
  const t = useTranslations('flows');
  const mayEdit = useMay('EDIT');
  const [page, setPage] = useState(1);
  const { data, error, refresh } = useRefreshable({ query: FlowsOfWebsiteDocument, variables: { websiteId, page } });
  useLiveRefresh(['WEBSITE_UPDATED', 'BATCH_CREATED', 'BATCH_FINISHED', 'FLOW_FAILED'], refresh);
  const add = mayEdit && (
    <Link to="/sites/$websiteId/flows/new" params={{ websiteId }} className={buttonClass('plain', 'small')}>
      {t('add')}
    </Link>
  );
  return (
    <Panel title={t('title')} actions={add} flush>
      <Loaded data={data} error={error} retry={refresh}>
        {({ flows }) =>
          flows.nodes.length === 0 ? (
            <Empty title={t('none')}>{t('noneAbout')}</Empty>
          ) : (
            <>
              <Table label={t('title')} columns={[t('name'), t('does'), t('partOf'), t('lastRun')]}>
                {flows.nodes.map((flow) => (
                  <Line key={flow.id} flow={flow} />
                ))}
              </Table>
              <Pager total={flows.totalCount} perPage={50} page={page} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Line({ flow }: { flow: ListedFlow }) {
  const t = useTranslations('flows');
  return (
    <tr>
      <th scope="row">
        <Link to="/flows/$flowId" params={{ flowId: flow.id }} dir="auto">
          {flow.name}
        </Link>
      </th>
      <td>{t('counts', { steps: flow.stepsCount, checkpoints: flow.checkpointsCount })}</td>
      <td>
        <span className={css.badges}>
          {flow.enabledManual && <Badge>{t('manual')}</Badge>}
          {flow.enabledMonitoring && <Badge>{t('monitoring')}</Badge>}
        </span>
      </td>
      <td data-label={t('lastRun')}>
        {flow.lastRun === null ? (
          t('never')
        ) : (
          <span className={css.badges}>
            <Badge tone={runTones[flow.lastRun.status]}>{t(`status.${flow.lastRun.status}`)}</Badge>
            <Link to="/flow-runs/$runId" params={{ runId: flow.lastRun.id }}>
              <When time={flow.lastRun.createdAt} />
            </Link>
          </span>
        )}
      </td>
    </tr>
  );
}
