import { useFormatter, useTranslations } from 'use-intl';

/** When a group runs, as the API has it. */
export interface Schedule {
  monitoring: boolean;
  enabled: boolean;
  scheduleType: 'INTERVAL' | 'WEEKLY' | 'MONTHLY' | 'OFF';
  hourOfDay: number;
  intervalInH: number;
  scheduleDays: readonly (number | string)[] | null;
  quietHoursStart: number | null;
  quietHoursEnd: number | null;
}

/** An hour of the day as the clock shows it. */
export function useHours(): (hour: number) => string {
  const format = useFormatter();
  return (hour) =>
    format.dateTime(new Date(Date.UTC(2024, 0, 1, hour)), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });
}

/** The name of a day of the week, 1 for Monday to 7 for Sunday. */
export function useWeekdays(): (day: number) => string {
  const format = useFormatter();
  // The first of January 2024 was a Monday.
  return (day) => format.dateTime(new Date(Date.UTC(2024, 0, day)), { weekday: 'long', timeZone: 'UTC' });
}

/** Says a schedule in words: "Every day at 06:00 in Europe/Berlin, but not from 22:00 to 06:00". */
export function useScheduleWords(): (schedule: Schedule, zone: string) => string {
  const t = useTranslations('group.schedule.words');
  const format = useFormatter();
  const hourOf = useHours();
  const weekday = useWeekdays();

  const monthDay = (day: number | string) => (day === 'last' ? t('lastDay') : t('dayOfMonth', { day: Number(day) }));

  const intervalWords = ({ intervalInH: hours, hourOfDay }: Schedule) => {
    if (hours < 1) {
      return t('minutes', { minutes: hours * 60 });
    }
    if (hours === 24) {
      return t('daily', { time: hourOf(hourOfDay) });
    }
    const times = Array.from({ length: 24 / hours }, (_, index) => hourOf((hourOfDay % hours) + index * hours));
    return t('hours', { hours, times: format.list(times) });
  };

  const daysWords = (schedule: Schedule) => {
    const days = schedule.scheduleDays ?? [];
    const time = hourOf(schedule.hourOfDay);
    if (days.length === 0) {
      return t('noDays');
    }
    return schedule.scheduleType === 'WEEKLY'
      ? t('weekly', { days: format.list(days.map((day) => weekday(Number(day)))), time })
      : t('monthly', { days: format.list(days.map(monthDay)), time });
  };

  return (schedule, zone) => {
    if (!schedule.enabled) {
      return t('disabled');
    }
    if (!schedule.monitoring) {
      return t('manual');
    }
    if (schedule.scheduleType === 'OFF') {
      return t('off');
    }
    const when = schedule.scheduleType === 'INTERVAL' ? intervalWords(schedule) : daysWords(schedule);
    const { quietHoursStart: start, quietHoursEnd: end } = schedule;
    return start === null || end === null || start === end
      ? t('zone', { when, zone })
      : t('quiet', { when, zone, start: hourOf(start), end: hourOf(end) });
  };
}
