import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { ownPath } from '../../api/image';
import { pageName } from '../../shell/pageName';
import css from './OpenPages.module.css';
import type { Remains } from './judging';
import type { OpenComparison } from './query';

type Reason = Remains['stillOpen'][number]['reasons'][number];

/** Pages that accepting changes does not close, each with its reasons. */
export function OpenPages({ open, remains }: { open: readonly OpenComparison[]; remains: Remains | undefined }) {
  const t = useTranslations('review.open');
  const device = useTranslations('device');
  const known = new Map(remains?.stillOpen.map((each) => [each.comparisonId, each]));
  const listed = open
    .map((comparison) => ({
      comparison,
      remaining: known.get(comparison.id),
      reasons: known.get(comparison.id)?.reasons ?? reasonsOf(comparison),
    }))
    .filter(({ reasons }) => reasons.length > 0);
  if (listed.length === 0) {
    return null;
  }
  return (
    <div className={css.place}>
      <Panel title={t('title', { count: listed.length })} flush>
        <ul>
          {listed.map(({ comparison, remaining, reasons }) => (
            <li key={comparison.id} className={css.page}>
              {comparison.previewLink !== null && (
                <img className={css.picture} src={ownPath(comparison.previewLink)} alt="" loading="lazy" />
              )}
              <div className={css.words}>
                <Link to="/comparisons/$comparisonId" params={{ comparisonId: comparison.id }} className={css.address}>
                  <bdi>{pageName(comparison.address)}</bdi>
                </Link>
                <span className={css.about}>{device(comparison.device)}</span>
                {reasons.map((reason) => (
                  <span key={reason} className={css.reason}>
                    {t(`reasons.${reason}`, { others: remaining?.otherChanges.join('; ') ?? '', alarm: comparison.alarmReason ?? '' })}
                  </span>
                ))}
              </div>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

/** What of a comparison keeps it open whatever changes are accepted. */
function reasonsOf(comparison: OpenComparison): Reason[] {
  const reasons: Reason[] = [];
  if (comparison.truncated) {
    reasons.push('TRUNCATED');
  } else if ((comparison.unlistedFindings ?? 0) > 0) {
    reasons.push('UNLISTED');
  } else if (!comparison.explained) {
    reasons.push('UNEXPLAINED');
  }
  if (comparison.pageAlarm) {
    reasons.push('PAGE_ALARM');
  }
  return reasons;
}
