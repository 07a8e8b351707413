import { Field as Base } from '@base-ui/react/field';
import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';

import css from './Field.module.css';
import { join } from './join';

interface FrameProps {
  label: string;
  /** Help below the control. */
  hint?: ReactNode;
  /** What is wrong with the value, and what to do. */
  problem?: string | undefined;
  children: ReactNode;
}

/** A control with its label, help and problem, tied together for screen readers. */
export function Field({ label, hint, problem, children }: FrameProps) {
  return (
    <Base.Root className={css.field} invalid={problem !== undefined}>
      <Base.Label className={css.label}>{label}</Base.Label>
      {children}
      {hint !== undefined && <Base.Description className={css.hint}>{hint}</Base.Description>}
      {problem !== undefined && (
        <Base.Error match className={css.problem}>
          {problem}
        </Base.Error>
      )}
    </Base.Root>
  );
}

type TextProps = Omit<FrameProps, 'children'> & Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue'>;

export function TextField({ label, hint, problem, className, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <Base.Control render={<input {...input} className={join(css.control, className)} />} />
    </Field>
  );
}

type AreaProps = Omit<FrameProps, 'children'> & TextareaHTMLAttributes<HTMLTextAreaElement>;

export function TextArea({ label, hint, problem, className, ...area }: AreaProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <Base.Control render={<textarea {...area} className={join(css.control, css.area, className)} />} />
    </Field>
  );
}

interface SelectProps<T extends string> extends Omit<FrameProps, 'children'> {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  disabled?: boolean;
}

/** A choice of one of a few. The browser's own control: it works on phones and with every screen reader. */
export function SelectField<T extends string>({ label, hint, problem, value, options, onChange, disabled }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <Base.Control
        render={
          <select className={css.control} disabled={disabled}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        }
        value={value}
        onValueChange={(chosen) => onChange(chosen as T)}
      />
    </Field>
  );
}
