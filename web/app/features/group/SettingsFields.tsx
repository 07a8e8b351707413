import { useTranslations } from 'use-intl';

import { SelectField, TextArea, TextField } from '../../../ui/Field';
import { SwitchField } from '../../../ui/Switch';
import css from './Group.module.css';
import type { Draft } from './draft';

interface Props {
  draft: Draft;
  problems: Readonly<Record<string, string>>;
  disabled: boolean;
  hasPassword: boolean;
  onChange: (change: Partial<Draft>) => void;
}

export function GeneralFields({ draft, problems, disabled, onChange }: Props) {
  const t = useTranslations('group.settings');
  return (
    <>
      <div className={css.columns}>
        <TextField
          label={t('name')}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          problem={problems['name']}
          maxLength={255}
          disabled={disabled}
          required
        />
        <SelectField
          label={t('region')}
          value={draft.region}
          onChange={(region) => onChange({ region })}
          options={(['AUTO', 'EU', 'US'] as const).map((value) => ({ value, label: t(`regions.${value}`) }))}
          problem={problems['screenshotRegion']}
          disabled={disabled}
        />
        <SelectField
          label={t('cms')}
          hint={t('cmsAbout')}
          value={draft.cms}
          onChange={(cms) => onChange({ cms })}
          options={[
            { value: '', label: t('noCms') },
            { value: 'wordpress', label: 'WordPress' },
          ]}
          problem={problems['cms']}
          disabled={disabled}
        />
      </div>
      <SwitchField
        label={t('consent')}
        hint={t('consentAbout')}
        checked={draft.hideConsent}
        onChange={(hideConsent) => onChange({ hideConsent })}
        disabled={disabled}
      />
      <SwitchField
        label={t('newDesktop')}
        checked={draft.defaultDesktop}
        onChange={(defaultDesktop) => onChange({ defaultDesktop })}
        disabled={disabled}
      />
      <SwitchField
        label={t('newMobile')}
        checked={draft.defaultMobile}
        onChange={(defaultMobile) => onChange({ defaultMobile })}
        disabled={disabled}
      />
    </>
  );
}

export function AlarmFields({ draft, problems, disabled, onChange }: Props) {
  const t = useTranslations('group.settings');
  return (
    <>
      <div className={css.columns}>
        <TextField
          label={t('threshold')}
          hint={t('thresholdAbout')}
          type="number"
          min={0}
          max={100}
          step="any"
          value={draft.threshold}
          onChange={(event) => onChange({ threshold: event.target.value })}
          problem={problems['threshold']}
          disabled={disabled}
          required
        />
        <SelectField
          label={t('measure')}
          hint={t(`measureAbout.${draft.measure}`)}
          value={draft.measure}
          onChange={(measure) => onChange({ measure })}
          options={(['ALIGNED', 'PLAIN'] as const).map((value) => ({ value, label: t(`measures.${value}`) }))}
          disabled={disabled}
        />
      </div>
      <SwitchField
        label={t('confirm')}
        hint={t('confirmAbout')}
        checked={draft.confirmChanges}
        onChange={(confirmChanges) => onChange({ confirmChanges })}
        disabled={disabled}
      />
      <SwitchField
        label={t('beyond')}
        hint={t('beyondAbout')}
        checked={draft.alarmPageChanges}
        onChange={(alarmPageChanges) => onChange({ alarmPageChanges })}
        disabled={disabled}
      />
      <TextArea
        label={t('emails')}
        hint={t('emailsAbout')}
        value={draft.alertEmails}
        onChange={(event) => onChange({ alertEmails: event.target.value })}
        problem={problems['alertEmails'] ?? Object.entries(problems).find(([path]) => path.startsWith('alertEmails'))?.[1]}
        disabled={disabled}
        rows={3}
      />
    </>
  );
}

export function AccessFields({ draft, problems, disabled, hasPassword, onChange }: Props) {
  const t = useTranslations('group.settings');
  return (
    <div className={css.columns}>
      <TextField
        label={t('user')}
        hint={t('userAbout')}
        value={draft.user}
        onChange={(event) => onChange({ user: event.target.value })}
        problem={problems['basicAuthUser']}
        autoComplete="off"
        disabled={disabled}
      />
      <TextField
        label={t('password')}
        hint={hasPassword ? t('passwordKept') : undefined}
        type="password"
        value={draft.password}
        onChange={(event) => onChange({ password: event.target.value })}
        problem={problems['basicAuthPassword']}
        autoComplete="new-password"
        disabled={disabled || draft.user === ''}
      />
      <SelectField
        label={t('proxy')}
        value={draft.proxyType}
        onChange={(proxyType) => onChange({ proxyType })}
        options={(['NONE', 'STATIC', 'RESIDENTIAL'] as const).map((value) => ({ value, label: t(`proxies.${value}`) }))}
        problem={problems['proxyType']}
        disabled={disabled}
      />
      <TextField
        label={t('country')}
        hint={t('countryAbout')}
        value={draft.proxyCountry}
        onChange={(event) => onChange({ proxyCountry: event.target.value })}
        problem={problems['proxyCountry']}
        maxLength={2}
        disabled={disabled || draft.proxyType === 'NONE'}
      />
      <TextField
        label={t('delay')}
        hint={t('delayAbout')}
        type="number"
        min={7}
        max={60}
        value={draft.delay}
        onChange={(event) => onChange({ delay: event.target.value })}
        problem={problems['screenshotDelay']}
        disabled={disabled}
      />
    </div>
  );
}

export function CodeFields({ draft, problems, disabled, onChange }: Props) {
  const t = useTranslations('group.settings');
  return (
    <>
      <TextArea
        label={t('css')}
        hint={t('cssAbout')}
        className={css.code}
        value={draft.css}
        onChange={(event) => onChange({ css: event.target.value })}
        problem={problems['css']}
        disabled={disabled}
        spellCheck={false}
      />
      <TextArea
        label={t('js')}
        hint={t('jsAbout')}
        className={css.code}
        value={draft.js}
        onChange={(event) => onChange({ js: event.target.value })}
        problem={problems['js']}
        disabled={disabled}
        spellCheck={false}
      />
    </>
  );
}
