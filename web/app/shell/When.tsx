import { useFormatter } from 'use-intl';

import { useNow } from './now';

/** A time as people say it, with the exact one on request. */
export function When({ time }: { time: string }) {
  const format = useFormatter();
  const now = useNow();
  const date = new Date(time);
  return (
    <time dateTime={time} title={format.dateTime(date, { dateStyle: 'medium', timeStyle: 'medium' })}>
      {format.relativeTime(date, now)}
    </time>
  );
}
