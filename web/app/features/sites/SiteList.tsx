import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Table } from '../../../ui/Table';
import { When } from '../../shell/When';
import css from './Sites.module.css';
import type { Site } from './query';

/** A line for each site. */
export function SiteList({ sites }: { sites: readonly Site[] }) {
  const t = useTranslations('sites');
  return (
    <Table label={t('title')} columns={[t('site'), t('kind'), t('needs'), t('lastRun'), t('nextRun')]}>
      {sites.map((site) => (
        <tr key={site.websiteId ?? site.groupIds[0] ?? site.name}>
          <th scope="row">
            <Name site={site} />
          </th>
          <td>{site.websiteId === null ? t('group') : t('website')}</td>
          <td>
            <span className={css.needs}>
              {site.needs.map((need) => (
                <Badge key={need} tone={need === 'OPEN_ALARMS' ? 'alert' : 'unsure'}>
                  {t(`need.${need}`, { open: site.openAlarms })}
                </Badge>
              ))}
            </span>
          </td>
          <td data-label={t('lastRun')}>{site.lastBatch === null ? t('never') : <When time={site.lastBatch.createdAt} />}</td>
          <td data-label={t('nextRun')}>{site.nextRuns[0] === undefined ? t('onRequest') : <When time={site.nextRuns[0]} />}</td>
        </tr>
      ))}
    </Table>
  );
}

function Name({ site }: { site: Site }) {
  if (site.websiteId !== null) {
    return (
      <Link to="/sites/$websiteId" params={{ websiteId: site.websiteId }}>
        <bdi>{site.name}</bdi>
      </Link>
    );
  }
  return (
    <Link to="/groups/$groupId" params={{ groupId: site.groupIds[0] ?? '' }}>
      <bdi>{site.name}</bdi>
    </Link>
  );
}
