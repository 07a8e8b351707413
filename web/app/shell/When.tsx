import { useFormatter } from 'use-intl';

import { step, useNow } from './now';

/** A time as people say it, with the exact one on request. */
export function When({ time }: { time: string }) {
  const format = useFormatter();
  const now = useNow();
  const date = new Date(time);
  const ahead = date.getTime() - now.getTime();
  const justNow = ahead > 0 && ahead <= step; // since the clock was looked at
  return (
    <time dateTime={time} title={format.dateTime(date, { dateStyle: 'medium', timeStyle: 'medium' })}>
      {format.relativeTime(date, justNow ? date : now)}
    </time>
  );
}
