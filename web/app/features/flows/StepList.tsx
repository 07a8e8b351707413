import { ArrowDown, ArrowUp, Play, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, IconButton } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { Select } from '../../../ui/Select';
import type { FlowStepType } from '../../api/generated/graphql';
import css from './Flows.module.css';
import { StepFields } from './StepFields';
import { TriedStep } from './Trial';
import { moved, newStep, stepTypes, type StepDraft } from './draft';
import type { Tried } from './useTrial';

interface Props {
  steps: StepDraft[];
  /** The groups of the website. */
  groupIds: string[];
  /** By their path in the input, such as steps.0.selector. */
  problems: Readonly<Record<string, string>>;
  onChange: (steps: StepDraft[]) => void;
  /** Tries the steps up to one, counted from 1; undefined for those who may not. */
  onTry: ((lastStep: number) => void) | undefined;
  /** What was tried, by the keys of steps. */
  tried: ReadonlyMap<number, Tried>;
}

const most = 200;

/** The steps of a flow in their order, which buttons change. */
export function StepList({ steps, groupIds, problems, onChange, onTry, tried }: Props) {
  const t = useTranslations('flows.editor');
  const [type, setType] = useState<FlowStepType>('CLICK');
  const list = useRef<HTMLOListElement>(null);
  const next = useRef<number>(undefined);
  // Whoever adds or removes steps by keys goes on at the step, not at the top of the page.
  useEffect(() => {
    list.current?.querySelector<HTMLElement>(`[data-step="${next.current ?? ''}"]`)?.focus();
    next.current = undefined;
  }, [steps]);

  const add = () => {
    const step = newStep(type);
    onChange([...steps, step]);
    next.current = step.key;
  };
  const remove = (index: number) => {
    const left = steps.toSpliced(index, 1);
    onChange(left);
    next.current = left[Math.min(index, left.length - 1)]?.key;
  };
  return (
    <Panel title={t('steps', { count: steps.length })}>
      {problems['steps'] !== undefined && (
        <p className={css.error} role="alert">
          {problems['steps']}
        </p>
      )}
      <ol className={css.list} ref={list}>
        {steps.map((step, index) => (
          <li key={step.key} className={css.editedStep}>
            <fieldset className={css.fields}>
              <legend className={css.legend} data-step={step.key} tabIndex={-1}>
                {t('step', { number: index + 1 })}
              </legend>
              <StepFields
                step={step}
                groupIds={groupIds}
                problemOf={(field) => problems[`steps.${index}.${field}`]}
                onChange={(changed) => onChange(steps.with(index, changed))}
              />
              {onTry !== undefined && (
                <Button icon={<Play aria-hidden="true" />} onClick={() => onTry(index + 1)}>
                  {t('tryHere', { number: index + 1 })}
                </Button>
              )}
            </fieldset>
            <TriedStep number={index + 1} tried={tried.get(step.key)} />
            <div className={css.stepButtons}>
              <IconButton
                label={t('up', { number: index + 1 })}
                icon={<ArrowUp aria-hidden="true" />}
                disabled={index === 0}
                onClick={() => onChange(moved(steps, index, -1))}
              />
              <IconButton
                label={t('down', { number: index + 1 })}
                icon={<ArrowDown aria-hidden="true" />}
                disabled={index === steps.length - 1}
                onClick={() => onChange(moved(steps, index, 1))}
              />
              <IconButton
                label={t('remove', { number: index + 1 })}
                icon={<Trash2 aria-hidden="true" />}
                disabled={steps.length === 1}
                onClick={() => remove(index)}
              />
            </div>
          </li>
        ))}
      </ol>
      <div className={css.buttons}>
        <TypeSelect value={type} onChange={setType} label={t('newType')} />
        <Button icon={<Plus aria-hidden="true" />} disabled={steps.length >= most} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </Panel>
  );
}

interface TypeProps {
  label: string;
  value: FlowStepType;
  onChange: (type: FlowStepType) => void;
}

function TypeSelect({ label, value, onChange }: TypeProps) {
  const t = useTranslations('flows.types');
  return <Select label={label} value={value} onChange={onChange} options={stepTypes.map((type) => ({ value: type, label: t(type) }))} />;
}
