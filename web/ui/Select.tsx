import css from './Select.module.css';

interface Props<T extends string> {
  /** What it chooses, for screen readers: the chosen value says it to others. */
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** A choice of one of a few beside a list. In forms, a SelectField has a visible label. */
export function Select<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <select className={css.select} aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
