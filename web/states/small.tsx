import { Check, RotateCcw, Settings } from 'lucide-react';

import { Badge, type Tone } from '../ui/Badge';
import { Button, IconButton } from '../ui/Button';
import { Kbd } from '../ui/Kbd';
import { Progress } from '../ui/Progress';
import css from './States.module.css';

const looks = ['primary', 'plain', 'quiet', 'danger'] as const;
const tones: readonly Tone[] = ['neutral', 'accent', 'alert', 'unsure', 'good', 'fix'];

export function ButtonStates() {
  return (
    <>
      {looks.map((look) => (
        <div key={look} className={css.row}>
          <Button look={look}>{look}</Button>
          <Button look={look} size="small" icon={<Check aria-hidden="true" />}>
            Small <Kbd keys="a" />
          </Button>
          <Button look={look} busy icon={<RotateCcw aria-hidden="true" />}>
            Busy
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
        </div>
      ))}
      <div className={css.row}>
        <IconButton label="Settings" icon={<Settings aria-hidden="true" />} />
        <IconButton label="Settings, disabled" icon={<Settings aria-hidden="true" />} disabled />
        <IconButton label="Settings, pressed" icon={<Settings aria-hidden="true" />} aria-pressed />
      </div>
    </>
  );
}

export function BadgeStates() {
  return (
    <div className={css.row}>
      {tones.map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
    </div>
  );
}

export function ProgressStates() {
  return (
    <>
      <Progress label="Begun" done={0} planned={40} />
      <Progress label="Half done" done={20} planned={40} />
      <Progress label="With failures" done={30} planned={40} failed={8} />
      <Progress label="Done" done={40} planned={40} />
    </>
  );
}
