import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { useRefreshable } from '../../api/refreshable';
import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { Who } from '../../shell/Who';
import { More } from './More';
import { AuditDocument } from './query';

const route = getRouteApi('/settings/audit');

/** Who changed what. */
export function Audit() {
  const t = useTranslations('settings.audit');
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: AuditDocument, variables: { after: after ?? null } });
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ auditEntries }) => (
        <Panel title={t('title')} flush>
          {auditEntries.nodes.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <Table label={t('title')} columns={[t('action'), t('subject'), t('actor'), t('when')]}>
              {auditEntries.nodes.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row">
                    <code>{entry.action}</code>
                  </th>
                  <td title={entry.subjectId ?? undefined}>{entry.subjectType}</td>
                  <td data-label={t('actor')}>
                    <Who person={entry.actor} />
                  </td>
                  <td>
                    <When time={entry.createdAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <More
            label={t('title')}
            pageInfo={auditEntries.pageInfo}
            after={after}
            onGo={(next) => void navigate({ search: { after: next } })}
          />
        </Panel>
      )}
    </Loaded>
  );
}
