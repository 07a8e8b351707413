import type { ButtonHTMLAttributes, ReactNode } from 'react';

import css from './Button.module.css';
import { join } from './join';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** One primary button a screen: what most people came for. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  icon?: ReactNode;
  /** What it does is under way: it cannot be pressed again. */
  busy?: boolean;
}

export function Button({ look = 'plain', size = 'medium', icon, busy = false, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={join(css.button, css[look], css[size], className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {icon}
      {children}
    </button>
  );
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: NonNullable<Props['look']> = 'plain', size: NonNullable<Props['size']> = 'medium'): string {
  return join(css.button, css[look], css[size]);
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** What it does, for those who do not see the icon. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={join(css.icon, className)} aria-label={label} title={label}>
      {icon}
    </button>
  );
}
