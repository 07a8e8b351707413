import { useFormatter, useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { Table } from '../../../ui/Table';
import type { StorageQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { When } from '../../shell/When';
import { RetentionForm } from './RetentionForm';
import css from './Settings.module.css';
import { inUnits } from './bytes';
import { StorageDocument } from './query';
import { nameOf } from './UsageCharts';

/** What the account stores, how long it keeps runs, and what expired runs freed. */
export function Storage() {
  const t = useTranslations('settings.storage');
  const { data, error, refresh } = useRefreshable({ query: StorageDocument });
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ account, storage }) => (
        <>
          <Panel title={t('title')}>
            <Figures storage={storage} />
          </Panel>
          <RetentionForm retention={account.retention} />
          {storage.freed.length > 0 && <Freed days={storage.freed} />}
        </>
      )}
    </Loaded>
  );
}

function Figures({ storage }: { storage: StorageQuery['storage'] }) {
  const t = useTranslations('settings.storage');
  const format = useFormatter();
  if (storage.measuredAt === null) {
    return <p>{t('unmeasured')}</p>;
  }
  return (
    <>
      <dl className={css.figures}>
        <div>
          <dt>{t('used')}</dt>
          <dd>{inUnits(storage.bytes, format)}</dd>
        </div>
        <div>
          <dt>{t('limit')}</dt>
          <dd>{storage.limit === null ? t('unlimited') : inUnits(storage.limit, format)}</dd>
        </div>
        <div>
          <dt>{t('files')}</dt>
          <dd>{format.number(storage.files)}</dd>
        </div>
      </dl>
      <p className={css.aside}>
        {t('measured')} <When time={storage.measuredAt} />
      </p>
    </>
  );
}

function Freed({ days }: { days: StorageQuery['storage']['freed'] }) {
  const t = useTranslations('settings.storage');
  const format = useFormatter();
  return (
    <Panel title={t('freed')} flush>
      <Table label={t('freed')} columns={[t('day'), t('runs'), t('screenshots'), t('comparisons'), t('bytes')]}>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{nameOf(day.day, format)}</th>
            <td data-label={t('runs')}>{format.number(day.runs)}</td>
            <td data-label={t('screenshots')}>{format.number(day.screenshots)}</td>
            <td data-label={t('comparisons')}>{format.number(day.comparisons)}</td>
            <td data-label={t('bytes')}>{inUnits(day.bytes, format)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
