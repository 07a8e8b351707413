import { useLocale, useTranslations } from 'use-intl';
import { useState } from 'react';

import { Button } from '../../../ui/Button';
import { SelectField, TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { SwitchField } from '../../../ui/Switch';
import type { AccountSettingsQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { signOut } from '../../api/session';
import { chooseLanguage, type Language } from '../../i18n';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import { chooseTheme, chosenTheme, type Theme } from '../../shell/theme';
import { useMay } from '../../shell/viewer';
import css from './Settings.module.css';
import { AccountDocument, ReactivateDocument, UpdateAccountDocument } from './query';

/** The account itself, and how this browser shows the dashboard. */
export function AccountPart() {
  const { data, error, refresh } = useRefreshable({ query: AccountDocument });
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ account }) => (
        <>
          <AccountForm account={account} />
          <Appearance />
        </>
      )}
    </Loaded>
  );
}

function AccountForm({ account }: { account: AccountSettingsQuery['account'] }) {
  const t = useTranslations('settings.account');
  const mayOwn = useMay('OWN');
  const [draft, setDraft] = useState({
    nameFirst: account.nameFirst,
    nameLast: account.nameLast,
    company: account.company ?? '',
    timezone: account.timezone,
    noiseProbes: account.noiseProbes,
  });
  const update = useAction(UpdateAccountDocument);
  const reactivate = useAction(ReactivateDocument);
  const zones = Intl.supportedValuesOf('timeZone');
  const options = (zones.includes(draft.timezone) ? zones : [draft.timezone, ...zones]).map((value) => ({ value, label: value }));
  const text = (field: 'nameFirst' | 'nameLast' | 'company') => ({
    label: t(field),
    value: draft[field],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [field]: event.target.value }),
    problem: update.problems[field],
    maxLength: 255,
    disabled: !mayOwn,
  });
  return (
    <Panel
      title={account.email || account.nameFirst}
      actions={
        account.status === 'PAUSED' &&
        mayOwn && (
          <Button look="primary" size="small" busy={reactivate.busy} onClick={() => void reactivate.act({}, t('reactivated'))}>
            {t('reactivate')}
          </Button>
        )
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void update.act({ input: { ...draft, company: draft.company || null } }, t('saved'));
        }}
      >
        <div className={css.columns}>
          <TextField {...text('nameFirst')} />
          <TextField {...text('nameLast')} />
          <TextField {...text('company')} />
          <SelectField
            label={t('timezone')}
            hint={t('timezoneAbout')}
            value={draft.timezone}
            options={options}
            onChange={(timezone) => setDraft({ ...draft, timezone })}
            problem={update.problems['timezone']}
            disabled={!mayOwn}
          />
        </div>
        <SwitchField
          label={t('probes')}
          hint={t('probesAbout')}
          checked={draft.noiseProbes}
          onChange={(noiseProbes) => setDraft({ ...draft, noiseProbes })}
          disabled={!mayOwn}
        />
        {mayOwn && (
          <Button type="submit" look="primary" busy={update.busy}>
            {t('save')}
          </Button>
        )}
      </form>
    </Panel>
  );
}

function Appearance() {
  const t = useTranslations('settings.appearance');
  const language = useLocale();
  const [theme, setTheme] = useState(chosenTheme);
  const show = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Panel
      title={t('title')}
      actions={
        <Button size="small" onClick={() => void signOut()}>
          {t('signOut')}
        </Button>
      }
    >
      <div className={css.columns}>
        <SelectField<Language>
          label={t('language')}
          value={language}
          onChange={chooseLanguage}
          options={[
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
        <SelectField<Theme>
          label={t('theme')}
          value={theme}
          onChange={show}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`themes.${value}`) }))}
        />
      </div>
    </Panel>
  );
}
