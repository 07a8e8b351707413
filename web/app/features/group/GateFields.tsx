import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { SelectField, TextArea } from '../../../ui/Field';
import type { GateRule } from '../../api/generated/graphql';
import css from './Group.module.css';
import type { Draft, GateDraft } from './draft';

interface Props {
  draft: Draft;
  problems: Readonly<Record<string, string>>;
  disabled: boolean;
  busy: boolean;
  onChange: (change: Partial<Draft>) => void;
  /** Restores the rules of a group that has none of its own. */
  onReset: () => void;
}

const plain: readonly GateRule[] = ['ROLL_BACK', 'ASK', 'IGNORE'];
const byExtent: readonly GateRule[] = ['BY_EXTENT', ...plain];
const rules = [
  ['alert', plain],
  ['notSure', plain],
  ['missingPages', plain],
  ['scriptErrors', byExtent],
  ['failedResources', byExtent],
] as const;

/** What is done about an update for what is found after it. */
export function GateFields({ draft, problems, disabled, busy, onChange, onReset }: Props) {
  const t = useTranslations('group.settings.gate');
  const change = (part: Partial<GateDraft>) => onChange({ gate: { ...draft.gate, ...part } });
  const pages = Object.entries(problems).find(([path]) => path.startsWith('gateRules.mustBeFine'));
  return (
    <>
      <p className={css.about}>{t('about')}</p>
      <div className={css.columns}>
        {rules.map(([field, choices]) => (
          <SelectField
            key={field}
            label={t(`${field}.label`)}
            hint={t(`${field}.about`)}
            value={draft.gate[field]}
            onChange={(rule) => change({ [field]: rule })}
            options={choices.map((value) => ({ value, label: t(`rules.${value}`) }))}
            problem={problems[`gateRules.${field}`]}
            disabled={disabled}
          />
        ))}
      </div>
      <TextArea
        label={t('mustBeFine')}
        hint={t('mustBeFineAbout')}
        value={draft.gate.mustBeFine}
        onChange={(event) => change({ mustBeFine: event.target.value })}
        problem={pages?.[1]}
        disabled={disabled}
        rows={5}
        spellCheck={false}
      />
      {!disabled && (
        <Button busy={busy} onClick={onReset}>
          {t('reset')}
        </Button>
      )}
    </>
  );
}
