import { useFormatter, useTranslations } from 'use-intl';
import { useQuery } from 'urql';

import { join } from '../../../ui/join';
import { useDifference } from '../../shell/difference';
import css from './TimeLine.module.css';
import { HistoryDocument, type ShownComparison } from './query';

interface Props {
  comparison: ShownComparison;
  onOpen: (id: string) => void;
}

/** When the page changed: its comparisons over time, to step through. */
export function TimeLine({ comparison, onOpen }: Props) {
  const t = useTranslations('comparison');
  const format = useFormatter();
  const difference = useDifference();
  const { urlId, groupId, device } = comparison;
  const [{ data }] = useQuery({ query: HistoryDocument, variables: { urlId, groupId, device }, requestPolicy: 'cache-first' });
  const all = data?.comparisons.nodes.toReversed() ?? [];
  if (all.length < 2) {
    return null;
  }
  const at = all.findIndex((each) => each.id === comparison.id);
  const say = (index: number) => {
    const each = all[index];
    return each === undefined
      ? ''
      : t('moment', {
          when: format.dateTime(new Date(each.createdAt), { dateStyle: 'medium', timeStyle: 'short' }),
          changed: each.aboveThreshold ? 'yes' : 'no',
          percent: difference(each),
        });
  };
  return (
    <div className={css.line}>
      <span className={css.label}>{t('history')}</span>
      <div className={css.track}>
        <div className={css.marks} aria-hidden="true">
          {all.map((each, index) => (
            <button
              key={each.id}
              type="button"
              tabIndex={-1}
              className={join(css.mark, each.aboveThreshold && css.changed, index === at && css.current)}
              title={say(index)}
              aria-label={say(index)}
              onClick={() => onOpen(each.id)}
            />
          ))}
        </div>
        <input
          type="range"
          className="visually-hidden"
          aria-label={t('historyLabel')}
          aria-valuetext={say(at)}
          min={0}
          max={all.length - 1}
          value={Math.max(at, 0)}
          onChange={(event) => onOpen(all[Number(event.target.value)]?.id ?? comparison.id)}
        />
      </div>
      <span className={css.now}>{say(at)}</span>
    </div>
  );
}
