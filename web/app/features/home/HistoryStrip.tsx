import { useFormatter, useTranslations } from 'use-intl';

import { join } from '../../../ui/join';
import css from './HistoryStrip.module.css';
import type { DayOfSite } from './query';

/** The last days of a site, a bar each: grey without runs, green when nothing changed, orange and higher the more did. */
export function HistoryStrip({ days }: { days: readonly DayOfSite[] }) {
  const t = useTranslations('home.strip');
  const format = useFormatter();
  const changed = days.filter((day) => day.changes > 0).length;
  return (
    <span className={css.strip} role="img" aria-label={t('label', { days: days.length, changed })}>
      {days.map((day) => (
        <span
          key={day.day}
          className={join(css.day, day.changes > 0 ? css.changed : day.comparisons > 0 && css.calm)}
          style={{ height: heightOf(day) }}
          title={t('day', {
            day: format.dateTime(new Date(`${day.day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
            changes: day.changes,
            comparisons: day.comparisons,
          })}
        />
      ))}
    </span>
  );
}

const least = 6; // pixels
const most = 24;

function heightOf(day: DayOfSite): number {
  if (day.changes === 0) {
    return day.comparisons > 0 ? 10 : least;
  }
  return 12 + Math.round((most - 12) * Math.sqrt(day.changes / Math.max(day.comparisons, day.changes)));
}
