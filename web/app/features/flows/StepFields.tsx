import { useTranslations } from 'use-intl';

import { SelectField, TextField } from '../../../ui/Field';
import { SwitchField } from '../../../ui/Switch';
import css from './Flows.module.css';
import { Targets } from './Targets';
import { acts, assertionKinds, needsTarget, newStep, operatorsOf, stepTypes, takesTarget, takesValue, type StepDraft } from './draft';

interface Props {
  step: StepDraft;
  groupIds: string[];
  problemOf: (field: string) => string | undefined;
  onChange: (step: StepDraft) => void;
}

/** What a step does, on what, and with what. */
export function StepFields({ step, groupIds, problemOf, onChange }: Props) {
  const t = useTranslations('flows.editor');
  const types = useTranslations('flows.types');
  const change = (part: Partial<StepDraft>) => onChange({ ...step, ...part });
  return (
    <>
      <div className={css.columns}>
        <SelectField
          label={t('type')}
          value={step.type}
          options={stepTypes.map((value) => ({ value, label: types(value) }))}
          onChange={(type) => onChange({ ...newStep(type), key: step.key, id: step.id, label: step.label })}
          problem={problemOf('type')}
        />
        <TextField
          label={t(step.type === 'CHECKPOINT' ? 'checkpointName' : 'label')}
          value={step.label}
          onChange={(event) => change({ label: event.target.value })}
          problem={problemOf('label')}
          maxLength={60}
          required={step.type === 'CHECKPOINT'}
        />
      </div>
      {step.type === 'ASSERT' && <Assertion step={step} problemOf={problemOf} change={change} />}
      {takesTarget(step) && (
        <Targets
          targets={step.targets}
          required={needsTarget(step.type)}
          problem={problemOf('selector')}
          groupIds={groupIds}
          onChange={(targets) => change({ targets })}
        />
      )}
      {step.type === 'HIDE' && (
        <TextField
          label={t('hidden')}
          hint={t('hiddenAbout')}
          value={step.css}
          onChange={(event) => change({ css: event.target.value })}
          problem={problemOf('selector')}
          required
        />
      )}
      <Value step={step} problem={problemOf('value') ?? problemOf('sensitive')} change={change} />
      {acts(step.type) && (
        <SwitchField label={t('changes')} hint={t('changesAbout')} checked={step.changes} onChange={(changes) => change({ changes })} />
      )}
    </>
  );
}

interface PartProps {
  step: StepDraft;
  change: (part: Partial<StepDraft>) => void;
}

/** What must hold. */
function Assertion({ step: { assertion }, problemOf, change }: PartProps & Pick<Props, 'problemOf'>) {
  const t = useTranslations('flows');
  const set = (part: Partial<StepDraft['assertion']>) => change({ assertion: { ...assertion, ...part } });
  return (
    <div className={css.columns}>
      <SelectField
        label={t('editor.looksAt')}
        value={assertion.kind}
        options={assertionKinds.map((value) => ({ value, label: t(`assertionKinds.${value}`) }))}
        onChange={(kind) => set({ kind, operator: operatorsOf[kind][0], expected: kind === 'visible' ? 'true' : '' })}
        problem={problemOf('assertion.kind')}
      />
      {assertion.kind === 'visible' ? (
        <SelectField
          label={t('editor.expected')}
          value={assertion.expected === 'false' ? 'false' : 'true'}
          options={[
            { value: 'true', label: t('isVisible') },
            { value: 'false', label: t('invisible') },
          ]}
          onChange={(expected) => set({ expected })}
        />
      ) : (
        <>
          <SelectField
            label={t('editor.operator')}
            value={assertion.operator}
            options={operatorsOf[assertion.kind].map((value) => ({ value, label: t(`operators.${value}`) }))}
            onChange={(operator) => set({ operator })}
            problem={problemOf('assertion.operator')}
          />
          <TextField
            label={t('editor.expected')}
            value={assertion.expected}
            onChange={(event) => set({ expected: event.target.value })}
            problem={problemOf('assertion.expected') ?? problemOf('assertion')}
          />
        </>
      )}
    </div>
  );
}

/** The text of a step. That of a secret can be written, but is never shown. */
function Value({ step, problem, change }: PartProps & { problem: string | undefined }) {
  const t = useTranslations('flows.editor');
  if (step.type === 'CHECK' || (step.type === 'SCROLL' && step.targets.length === 0)) {
    const values = step.type === 'CHECK' ? (['true', 'false'] as const) : (['bottom', 'top'] as const);
    return (
      <SelectField
        label={t(`valueOf.${step.type}`)}
        value={step.value === values[1] ? values[1] : values[0]}
        options={values.map((value) => ({ value, label: t(`values.${value}`) }))}
        onChange={(value) => change({ value })}
        problem={problem}
      />
    );
  }
  if (!takesValue(step)) {
    return null;
  }
  const kind = step.type === 'NAVIGATE' || step.type === 'SELECT' || step.type === 'PRESS' || step.type === 'WAIT' ? step.type : 'FILL';
  return (
    <>
      <TextField
        label={t(`valueOf.${step.sensitive ? 'SECRET' : kind}`)}
        hint={step.sensitive ? t(step.stored ? 'storedAbout' : 'secretAbout') : undefined}
        type={step.sensitive ? 'password' : 'text'}
        autoComplete={step.sensitive ? 'new-password' : 'off'}
        value={step.value}
        onChange={(event) => change({ value: event.target.value })}
        problem={problem}
        required={step.sensitive ? !step.stored : kind !== 'FILL'}
      />
      {step.type === 'FILL' && (
        <SwitchField
          label={t('sensitive')}
          hint={t('sensitiveAbout')}
          checked={step.sensitive}
          onChange={(sensitive) => change({ sensitive })}
        />
      )}
    </>
  );
}
