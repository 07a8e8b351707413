import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Panel } from '../../../ui/Panel';
import { ownPath } from '../../api/image';
import { When } from '../../shell/When';
import { pageName } from '../../shell/pageName';
import { HistoryStrip } from './HistoryStrip';
import { MoreSites } from './MoreSites';
import css from './NeedySites.module.css';
import type { NeedySite } from './query';

/** The sites that need somebody, each with its reasons and what it looks like. */
export function NeedySites({ sites, count }: { sites: readonly NeedySite[]; count: number }) {
  const t = useTranslations('home.needy');
  if (sites.length === 0) {
    return null;
  }
  return (
    <Panel title={t('title', { count })} flush>
      <ul>
        {sites.map((site) => (
          <li key={site.websiteId ?? site.groupIds[0] ?? site.name} className={css.site}>
            <Site site={site} />
          </li>
        ))}
      </ul>
      <MoreSites count={count - sites.length} />
    </Panel>
  );
}

function Site({ site }: { site: NeedySite }) {
  const t = useTranslations('home.needy');
  return (
    <>
      <div className={css.words}>
        <h3 className={css.name}>
          {site.lastBatch === null ? (
            <bdi>{site.name}</bdi>
          ) : (
            <Link to="/runs/$batchId" params={{ batchId: site.open.nodes[0]?.batchId ?? site.lastBatch.id }}>
              <bdi>{site.name}</bdi>
            </Link>
          )}
        </h3>
        <p className={css.reasons}>
          {site.needs.map((need) => (
            <Badge key={need} tone={need === 'OPEN_ALARMS' ? 'alert' : 'unsure'}>
              {t(need, { open: site.openAlarms, failed: site.failedCount })}
            </Badge>
          ))}
        </p>
        {site.lastBatch !== null && (
          <p className={css.last}>{t.rich('lastRun', { when: () => <When time={site.lastBatch?.createdAt ?? ''} /> })}</p>
        )}
      </div>
      <ul className={css.pictures}>
        {site.open.nodes.map((comparison) => (
          <li key={comparison.id}>
            {comparison.previewLink !== null && (
              <Link to="/comparisons/$comparisonId" params={{ comparisonId: comparison.id }}>
                <img
                  className={css.picture}
                  src={ownPath(comparison.previewLink)}
                  alt={t('picture', { address: pageName(comparison.address) })}
                  loading="lazy"
                />
              </Link>
            )}
          </li>
        ))}
      </ul>
      <HistoryStrip days={site.series} />
    </>
  );
}
