import type { ReactNode } from 'react';

import css from './Badge.module.css';
import { join } from './join';

export type Tone = 'neutral' | 'accent' | 'alert' | 'unsure' | 'good' | 'fix';

/** A short word about something, in the colour of its kind. The word alone must say it. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={join(css.badge, css[tone])}>
      {icon}
      {children}
    </span>
  );
}
