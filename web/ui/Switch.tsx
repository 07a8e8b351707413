import { useId, type ReactNode } from 'react';

import css from './Switch.module.css';

interface BareProps {
  /** What it switches. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A switch in a table or a list, whose heading is its visible label. */
export function Switch({ label, checked, onChange, disabled = false }: BareProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={css.switch}
      aria-label={label}
      title={label}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface FieldProps extends BareProps {
  /** What follows from it. */
  hint?: ReactNode;
}

/** A switch of a form, with its label beside it. */
export function SwitchField({ label, hint, checked, onChange, disabled = false }: FieldProps) {
  const id = useId();
  return (
    <div className={css.line}>
      <input
        type="checkbox"
        role="switch"
        id={id}
        className={css.switch}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className={css.words}>
        <label className={css.label} htmlFor={id}>
          {label}
        </label>
        {hint !== undefined && (
          <span className={css.hint} id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}
