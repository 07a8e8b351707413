import { Link } from '@tanstack/react-router';
import { Monitor, Smartphone } from 'lucide-react';
import { useTranslations } from 'use-intl';

import { Badge, type Tone } from '../../../ui/Badge';
import { join } from '../../../ui/join';
import type { ComparisonStatus } from '../../api/generated/graphql';
import { ownPath } from '../../api/image';
import { useDifference } from '../../shell/difference';
import { pageName } from '../../shell/pageName';
import css from './PageCard.module.css';
import type { PageOfRun } from './query';
import type { Walk } from './walk';

export const statusTones: Record<ComparisonStatus, Tone> = { NEW: 'alert', OK: 'good', FALSE_POSITIVE: 'neutral', TO_FIX: 'fix' };

interface Props {
  /** The run and how the grid is filtered: where the way from page to page leads. */
  walk: Walk;
  comparison: PageOfRun;
  selected: boolean;
  onToggle: () => void;
}

/** A page on a device, in the grid. */
export function PageCard({ walk, comparison, selected, onToggle }: Props) {
  const t = useTranslations('review');
  const status = useTranslations('status');
  const device = useTranslations('device');
  const difference = useDifference();
  const Device = comparison.device === 'DESKTOP' ? Monitor : Smartphone;
  const unchanged = comparison.status === 'OK' && !comparison.aboveThreshold;
  const name = `${pageName(comparison.address)}, ${device(comparison.device)}`;
  return (
    <article className={join(css.card, selected && css.selected)}>
      <Link to="/comparisons/$comparisonId" params={{ comparisonId: comparison.id }} search={walk} className={css.link} aria-label={name}>
        {comparison.previewLink === null ? (
          <span className={css.noPicture} />
        ) : (
          <img className={css.picture} src={ownPath(comparison.previewLink)} alt="" loading="lazy" decoding="async" />
        )}
      </Link>
      <input type="checkbox" className={css.check} checked={selected} onChange={onToggle} aria-label={t('select', { name })} />
      <div className={css.words}>
        <span className={css.address} title={pageName(comparison.address)}>
          <Device aria-hidden="true" />
          <bdi>{pageName(comparison.address)}</bdi>
        </span>
        <span className={css.facts}>
          <Badge tone={unchanged ? 'neutral' : statusTones[comparison.status]}>
            {unchanged ? t(comparison.unseen === null ? 'unchanged' : 'unchangedAsSeen') : status(comparison.status)}
          </Badge>
          {!unchanged && comparison.unseen !== null && <Badge tone="unsure">{t('notAllSeen')}</Badge>}
          <span>{difference(comparison)}</span>
        </span>
      </div>
    </article>
  );
}
