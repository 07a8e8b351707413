import { Plus, SquareMousePointer, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { SelectField, TextField } from '../../../ui/Field';
import css from './Flows.module.css';
import { Picker } from './Picker';
import { newTarget, ways, type Target } from './selector';

interface Props {
  targets: Target[];
  /** Whether the step cannot do without. */
  required: boolean;
  problem: string | undefined;
  /** The groups of the website, in whose screenshots elements can be picked. */
  groupIds: string[];
  onChange: (targets: Target[]) => void;
}

const most = 10;

/** By what an element is found: alternatives, of which the first that finds one counts. */
export function Targets({ targets, required, problem, groupIds, onChange }: Props) {
  const t = useTranslations('flows.editor');
  const [picking, setPicking] = useState(false);
  return (
    <div className={css.targets} role="group" aria-label={t('targets')}>
      {targets.map((target, index) => (
        <div key={index} className={css.target}>
          <TargetFields
            target={target}
            number={index + 1}
            problem={index === 0 ? problem : undefined}
            onChange={(changed) => onChange(targets.with(index, changed))}
          />
          {(targets.length > 1 || !required) && (
            <IconButton
              label={t('removeTarget', { number: index + 1 })}
              icon={<X aria-hidden="true" />}
              onClick={() => onChange(targets.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <div className={css.buttons}>
        {targets.length < most && (
          <Button size="small" icon={<Plus aria-hidden="true" />} onClick={() => onChange([...targets, newTarget])}>
            {t(targets.length === 0 ? 'addTarget' : 'addAlternative')}
          </Button>
        )}
        {groupIds.length > 0 && (
          <Button size="small" icon={<SquareMousePointer aria-hidden="true" />} onClick={() => setPicking(true)}>
            {t('pick')}
          </Button>
        )}
      </div>
      {picking && (
        <Picker
          groupIds={groupIds}
          onPick={(picked) => {
            setPicking(false);
            onChange(picked);
          }}
          onClose={() => setPicking(false)}
        />
      )}
      {targets.length === 0 && problem !== undefined && (
        <p className={css.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface FieldsProps {
  target: Target;
  number: number;
  problem: string | undefined;
  onChange: (target: Target) => void;
}

function TargetFields({ target, number, problem, onChange }: FieldsProps) {
  const t = useTranslations('flows');
  const change = (part: Partial<Target>) => onChange({ ...target, ...part });
  return (
    <div className={css.targetFields}>
      <SelectField
        label={t('editor.way', { number })}
        value={target.way}
        options={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
        onChange={(way) => change({ way, role: way === 'role' ? 'button' : '' })}
      />
      {target.way === 'role' && (
        <TextField label={t('editor.role')} value={target.role} onChange={(event) => change({ role: event.target.value })} required />
      )}
      <TextField
        label={t(`editor.words.${target.way}`)}
        value={target.words}
        onChange={(event) => change({ words: event.target.value })}
        problem={problem}
        required={target.way !== 'role'}
      />
      <TextField
        label={t('editor.nth')}
        value={target.nth}
        onChange={(event) => change({ nth: event.target.value })}
        inputMode="numeric"
        pattern="[1-9][0-9]{0,3}"
        maxLength={4}
      />
      <label className={css.exact}>
        <input type="checkbox" checked={target.exact} onChange={(event) => change({ exact: event.target.checked })} />
        {t('editor.exact')}
      </label>
    </div>
  );
}
