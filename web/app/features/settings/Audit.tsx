import { useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { Panel } from '../../../ui/Panel';
import { Empty } from '../../../ui/States';
import { Table } from '../../../ui/Table';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { Who } from '../../shell/Who';
import { AuditDocument } from './query';

/** Who changed what. */
export function Audit() {
  const t = useTranslations('settings.audit');
  const [{ data, error }, ask] = useQuery({ query: AuditDocument });
  return (
    <Loaded data={data} error={error} retry={() => ask({ requestPolicy: 'network-only' })}>
      {({ auditEntries }) => (
        <Panel title={t('title')} flush>
          {auditEntries.nodes.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <Table label={t('title')} columns={[t('action'), t('actor'), t('when')]}>
              {auditEntries.nodes.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row">{entry.action}</th>
                  <td>
                    <Who person={entry.actor} />
                  </td>
                  <td>
                    <When time={entry.createdAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </Panel>
      )}
    </Loaded>
  );
}
