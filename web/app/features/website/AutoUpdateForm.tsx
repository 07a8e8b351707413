import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { TextArea, TextField } from '../../../ui/Field';
import { SwitchField } from '../../../ui/Switch';
import { useAction } from '../../shell/action';
import { useMay, useViewer } from '../../shell/viewer';
import { addressesOf } from '../group/draft';
import { useWeekdays } from '../group/words';
import css from './Website.module.css';
import { UpdateWebsiteDocument, type AutoUpdates } from './query';

const dayFields = [
  'autoUpdateChecksMonday',
  'autoUpdateChecksTuesday',
  'autoUpdateChecksWednesday',
  'autoUpdateChecksThursday',
  'autoUpdateChecksFriday',
  'autoUpdateChecksSaturday',
  'autoUpdateChecksSunday',
] as const;

type DayField = (typeof dayFields)[number];

// What the server assumes until something is set: disabled, at any time of every day.
const unset: AutoUpdates = {
  autoUpdateChecksEnabled: false,
  autoUpdateChecksFrom: '00:00',
  autoUpdateChecksTo: '23:59',
  autoUpdateChecksMonday: true,
  autoUpdateChecksTuesday: true,
  autoUpdateChecksWednesday: true,
  autoUpdateChecksThursday: true,
  autoUpdateChecksFriday: true,
  autoUpdateChecksSaturday: true,
  autoUpdateChecksSunday: true,
  autoUpdateChecksEmails: [],
};

/** Whether and when updates of the site's software are checked, and who learns of the results. */
export function AutoUpdateForm({ websiteId, settings }: { websiteId: string; settings: AutoUpdates | null }) {
  const t = useTranslations('website.updates');
  const weekday = useWeekdays();
  const mayEdit = useMay('EDIT');
  const { timezone } = useViewer().account;
  const [draft, setDraft] = useState(settings ?? unset);
  const [emails, setEmails] = useState(() => draft.autoUpdateChecksEmails.join('\n'));
  const { act, busy, problems } = useAction(UpdateWebsiteDocument);
  const change = (next: Partial<AutoUpdates>) => setDraft((old) => ({ ...old, ...next }));
  const problemOf = (field: string) => problems[`autoUpdateSettings.${field}`];
  const save = () => {
    const { autoUpdateChecksEnabled, autoUpdateChecksFrom, autoUpdateChecksTo } = draft;
    const days = Object.fromEntries(dayFields.map((field) => [field, draft[field]])) as Record<DayField, boolean>;
    const autoUpdateSettings = {
      autoUpdateChecksEnabled,
      autoUpdateChecksFrom,
      autoUpdateChecksTo,
      ...days,
      autoUpdateChecksEmails: addressesOf(emails),
    };
    return act({ id: websiteId, input: { autoUpdateSettings } }, t('saved'));
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SwitchField
        label={t('enabled')}
        hint={t('enabledAbout')}
        checked={draft.autoUpdateChecksEnabled}
        onChange={(autoUpdateChecksEnabled) => change({ autoUpdateChecksEnabled })}
        disabled={!mayEdit}
      />
      <div className={css.columns}>
        <TextField
          label={t('from')}
          hint={t('zone', { zone: timezone })}
          type="time"
          value={draft.autoUpdateChecksFrom}
          onChange={(event) => change({ autoUpdateChecksFrom: event.target.value })}
          problem={problemOf('autoUpdateChecksFrom')}
          disabled={!mayEdit}
        />
        <TextField
          label={t('to')}
          hint={t('toAbout')}
          type="time"
          value={draft.autoUpdateChecksTo}
          onChange={(event) => change({ autoUpdateChecksTo: event.target.value })}
          problem={problemOf('autoUpdateChecksTo')}
          disabled={!mayEdit}
        />
      </div>
      <Choices
        label={t('days')}
        options={dayFields.map((value, index) => ({ value, label: weekday(index + 1) }))}
        chosen={dayFields.filter((field) => draft[field])}
        onChange={(chosen) => change(Object.fromEntries(dayFields.map((field) => [field, chosen.includes(field)])))}
        disabled={!mayEdit}
      />
      <TextArea
        label={t('emails')}
        hint={t('emailsAbout')}
        value={emails}
        onChange={(event) => setEmails(event.target.value)}
        problem={problemOf('autoUpdateChecksEmails')}
        disabled={!mayEdit}
        rows={3}
      />
      {mayEdit && (
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      )}
    </form>
  );
}
