import { useTranslations } from 'use-intl';

import { Choices } from '../../../ui/Choices';
import { SelectField } from '../../../ui/Field';
import { SwitchField } from '../../../ui/Switch';
import css from './Group.module.css';
import { useHours, useWeekdays, type Schedule } from './words';

const intervals = ['24', '12', '6', '3', '0.5', '0.25'] as const;
const types = ['INTERVAL', 'WEEKLY', 'MONTHLY', 'OFF'] as const;
const monthDays = [...Array.from({ length: 30 }, (_, index) => String(index + 1)), 'last'];

interface Props {
  draft: Schedule;
  problems: Readonly<Record<string, string>>;
  onChange: (change: Partial<Schedule>) => void;
}

/** The fields of a schedule; those that mean nothing for the chosen kind are left out. */
export function ScheduleFields({ draft, problems, onChange }: Props) {
  const t = useTranslations('group.schedule');
  const hourOf = useHours();
  const weekday = useWeekdays();
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourOf(hour) }));
  const planned = draft.monitoring && draft.scheduleType !== 'OFF';
  const quiet = [{ value: '', label: t('none') }, ...hours];
  const hourValue = (value: string) => (value === '' ? null : Number(value));
  return (
    <>
      <SwitchField label={t('enabled')} hint={t('enabledAbout')} checked={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
      <SwitchField
        label={t('monitoring')}
        hint={t('monitoringAbout')}
        checked={draft.monitoring}
        onChange={(monitoring) => onChange({ monitoring })}
      />
      {draft.monitoring && (
        <div className={css.columns}>
          <SelectField
            label={t('type')}
            value={draft.scheduleType}
            onChange={(scheduleType) => onChange({ scheduleType, scheduleDays: [] })}
            options={types.map((value) => ({ value, label: t(`types.${value}`) }))}
            problem={problems['scheduleType']}
          />
          {draft.scheduleType === 'INTERVAL' && (
            <SelectField
              label={t('interval')}
              value={String(draft.intervalInH)}
              onChange={(value) => onChange({ intervalInH: Number(value) })}
              options={intervals.map((value) => ({ value, label: t('every', { minutes: Number(value) * 60, hours: Number(value) }) }))}
              problem={problems['intervalInH']}
            />
          )}
          {planned && (
            <SelectField
              label={t('hour')}
              value={String(draft.hourOfDay)}
              onChange={(value) => onChange({ hourOfDay: Number(value) })}
              options={hours}
              problem={problems['hourOfDay']}
            />
          )}
        </div>
      )}
      {draft.monitoring && draft.scheduleType === 'WEEKLY' && (
        <Choices
          label={t('days')}
          options={Array.from({ length: 7 }, (_, index) => ({ value: String(index + 1), label: weekday(index + 1) }))}
          chosen={(draft.scheduleDays ?? []).map(String)}
          onChange={(days) => onChange({ scheduleDays: days.map(Number) })}
          problem={problems['scheduleDays']}
        />
      )}
      {draft.monitoring && draft.scheduleType === 'MONTHLY' && (
        <Choices
          label={t('days')}
          hint={t('monthAbout')}
          options={monthDays.map((value) => ({ value, label: value === 'last' ? t('last') : value }))}
          chosen={(draft.scheduleDays ?? []).map(String)}
          onChange={(days) => onChange({ scheduleDays: days.map((day) => (day === 'last' ? day : Number(day))) })}
          problem={problems['scheduleDays']}
        />
      )}
      {planned && (
        <div className={css.columns}>
          <SelectField
            label={t('quietFrom')}
            value={draft.quietHoursStart === null ? '' : String(draft.quietHoursStart)}
            onChange={(value) => onChange({ quietHoursStart: hourValue(value) })}
            options={quiet}
            problem={problems['quietHoursStart']}
          />
          <SelectField
            label={t('quietTo')}
            hint={t('quietAbout')}
            value={draft.quietHoursEnd === null ? '' : String(draft.quietHoursEnd)}
            onChange={(value) => onChange({ quietHoursEnd: hourValue(value) })}
            options={quiet}
            problem={problems['quietHoursEnd']}
          />
        </div>
      )}
    </>
  );
}
