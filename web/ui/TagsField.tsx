import { Field as Base } from '@base-ui/react/field';
import { X } from 'lucide-react';
import { useId, useState } from 'react';

import { Field } from './Field';
import fieldCss from './Field.module.css';
import css from './TagsField.module.css';
import { join } from './join';

interface Props {
  label: string;
  hint?: string;
  problem?: string | undefined;
  tags: readonly string[];
  /** Those that there are already. */
  known: readonly string[];
  disabled?: boolean;
  removeLabel: (tag: string) => string;
  onChange: (tags: string[]) => void;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Short labels: Enter or a comma adds what is typed, Backspace in the empty field takes the last one away. */
export function TagsField({ label, hint, problem, tags, known, disabled = false, removeLabel, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    const names = text
      .split(',')
      .map((name) => name.trim().replace(/\s+/g, ' '))
      .filter((name) => name !== '');
    const spelled = names.map((name) => known.find((each) => same(each, name)) ?? name);
    onChange([
      ...tags,
      ...spelled.filter((name, index) => !tags.some((tag) => same(tag, name)) && spelled.findIndex((each) => same(each, name)) === index),
    ]);
    setTyped('');
  };
  const suggestions = known.filter((name) => !tags.some((tag) => same(tag, name)));
  return (
    <Field label={label} hint={hint} problem={problem}>
      <div className={join(fieldCss.control, css.box)} data-disabled={disabled || undefined}>
        {tags.map((tag) => (
          <span key={tag} className={css.tag}>
            <bdi>{tag}</bdi>
            {!disabled && (
              <button
                type="button"
                className={css.remove}
                aria-label={removeLabel(tag)}
                onClick={() => onChange(tags.filter((each) => each !== tag))}
              >
                <X aria-hidden="true" />
              </button>
            )}
          </span>
        ))}
        <Base.Control
          render={
            <input
              className={css.input}
              list={id}
              maxLength={200}
              value={typed}
              disabled={disabled}
              onChange={(event) => (event.target.value.includes(',') ? add(event.target.value) : setTyped(event.target.value))}
              onBlur={() => typed.trim() !== '' && add(typed)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && typed.trim() !== '') {
                  event.preventDefault();
                  add(typed);
                } else if (event.key === 'Backspace' && typed === '') {
                  onChange(tags.slice(0, -1));
                }
              }}
            />
          }
        />
        <datalist id={id}>
          {suggestions.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      </div>
    </Field>
  );
}
