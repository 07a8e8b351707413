import type { ReactNode } from 'react';

import css from './Choices.module.css';

interface Props<T extends string | number> {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  options: readonly { value: T; label: string; disabled?: boolean }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
  disabled?: boolean;
}

/** A choice of any of a few. */
export function Choices<T extends string | number>({ label, hint, problem, options, chosen, onChange, disabled = false }: Props<T>) {
  const change = (value: T, on: boolean) => {
    onChange(options.map((option) => option.value).filter((each) => (each === value ? on : chosen.includes(each))));
  };
  return (
    <fieldset className={css.choices} disabled={disabled}>
      <legend className={css.legend}>{label}</legend>
      <div className={css.list}>
        {options.map((option) => (
          <label key={option.value} className={css.choice}>
            <input
              type="checkbox"
              className={css.box}
              checked={chosen.includes(option.value)}
              disabled={option.disabled ?? false}
              onChange={(event) => change(option.value, event.target.checked)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className={css.hint}>{hint}</p>}
      {problem !== undefined && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
