import { useState } from 'react';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { Table } from '../../../ui/Table';
import type { UsageQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { lastDays } from './days';
import css from './Settings.module.css';
import { Storage } from './Storage';
import { UsageDocument } from './query';
import { UsageCharts, nameOf } from './UsageCharts';

/** How much of the plan is used, what is planned, and what was done on each of the last thirty days. */
export function Usage() {
  const t = useTranslations('settings.usage');
  const format = useFormatter();
  const timeZone = useTimeZone();
  const [days] = useState(() => lastDays(new Date(), timeZone ?? 'UTC'));
  const { data, error, refresh } = useRefreshable({ query: UsageDocument, variables: days });
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ account, accountStats: stats }) => (
        <>
          <Panel title={t('plan')}>
            <dl className={css.figures}>
              {(
                [
                  ['done', account.checksDone],
                  ['left', account.checksLeft],
                  ['limit', account.checksLimit],
                  ['monthly', stats.estimatedMonthlyChecks],
                  ['monitored', stats.monitoring.urls],
                  ['manual', stats.manual.urls],
                ] as const
              ).map(([name, value]) => (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd>{format.number(value)}</dd>
                </div>
              ))}
            </dl>
          </Panel>
          <Storage />
          <UsageCharts days={account.series} />
          <Panel title={t('days')} flush>
            <p className={css.note}>{t('daysAbout')}</p>
            <Table label={t('days')} columns={[t('day'), t('runs'), t('captures'), t('comparisons'), t('changes')]}>
              {account.series
                .filter(isBusy)
                .toReversed()
                .map((day) => (
                  <tr key={day.day}>
                    <th scope="row">{nameOf(day.day, format)}</th>
                    <td data-label={t('runs')}>{format.number(day.runs)}</td>
                    <td data-label={t('captures')}>{format.number(day.captures)}</td>
                    <td data-label={t('comparisons')}>{format.number(day.comparisons)}</td>
                    <td data-label={t('changes')}>{format.number(day.changes)}</td>
                  </tr>
                ))}
            </Table>
          </Panel>
        </>
      )}
    </Loaded>
  );
}

type Days = UsageQuery['account']['series'];

/** Whether anything happened on a day. */
const isBusy = (day: Days[number]) => day.runs + day.captures + day.comparisons + day.changes > 0;
