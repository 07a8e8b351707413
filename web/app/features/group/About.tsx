import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import css from './Group.module.css';
import type { Head } from './query';

/** The facts of a group that every part shows. */
export function About({ group }: { group: Head }) {
  const t = useTranslations('group');
  return (
    <span className={css.facts}>
      {group.websiteId !== null && (
        <Link to="/sites/$websiteId" params={{ websiteId: group.websiteId }}>
          {t('website')}
        </Link>
      )}
      <Badge tone={group.monitoring && group.enabled ? 'accent' : 'neutral'}>
        {!group.enabled ? t('disabled') : group.monitoring ? t('monitoring') : t('manual')}
      </Badge>
      <span>{t('selected', { urls: group.urlsCount, checks: group.selectedChecksCount })}</span>
      {group.missedRun !== null && <Badge tone="unsure">{t(`missed.${group.missedRun}`)}</Badge>}
    </span>
  );
}
