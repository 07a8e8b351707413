import { useFormatter, useTranslations } from 'use-intl';

import { BarChart } from '../../../ui/BarChart';
import { Panel } from '../../../ui/Panel';
import type { UsageQuery } from '../../api/generated/graphql';

type Day = UsageQuery['account']['series'][number];

/** What was captured and compared on each of the days. */
export function UsageCharts({ days }: { days: readonly Day[] }) {
  const t = useTranslations('settings.usage');
  const format = useFormatter();
  const bars = (parts: (day: Day) => number[], title: (day: Day, name: string) => string) =>
    days.map((day) => {
      const name = nameOf(day.day, format);
      return { key: day.day, label: name, parts: parts(day), title: title(day, name) };
    });
  return (
    <>
      <Panel title={t('captures')}>
        <BarChart
          label={t('capturesLabel')}
          series={[t('captures')]}
          bars={bars(
            (day) => [day.captures],
            (day, name) => `${name}: ${format.number(day.captures)}`,
          )}
          format={(figure) => format.number(figure)}
        />
      </Panel>
      <Panel title={t('comparisons')}>
        <BarChart
          label={t('comparisonsLabel')}
          series={[t('unchanged'), t('changes')]}
          bars={bars(
            (day) => [Math.max(0, day.comparisons - day.changes), day.changes],
            ({ comparisons, changes }, name) => t('comparisonsOf', { day: name, comparisons, changes }),
          )}
          format={(figure) => format.number(figure)}
        />
      </Panel>
    </>
  );
}

/** The name of a day, which is a date without a time. */
export const nameOf = (day: string, format: ReturnType<typeof useFormatter>) =>
  format.dateTime(new Date(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' });
