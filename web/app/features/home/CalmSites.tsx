import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Panel } from '../../../ui/Panel';
import { When } from '../../shell/When';
import css from './CalmSites.module.css';
import { HistoryStrip } from './HistoryStrip';
import { MoreSites } from './MoreSites';
import type { CalmSite } from './query';

const searchFrom = 8; // sites; fewer are seen at once

/** The sites that need nobody: a line each. */
export function CalmSites({ sites, count }: { sites: readonly CalmSite[]; count: number }) {
  const t = useTranslations('home.calm');
  const [text, setText] = useState('');
  if (sites.length === 0) {
    return null;
  }
  const wanted = text.trim().toLowerCase();
  const found = sites.filter((site) => site.name.toLowerCase().includes(wanted));
  const search = sites.length >= searchFrom && (
    <input
      type="search"
      className={css.search}
      value={text}
      onChange={(event) => setText(event.target.value)}
      placeholder={t('search')}
      aria-label={t('search')}
    />
  );
  return (
    <Panel title={t('title', { count })} actions={search} flush>
      <table className={css.sites}>
        <thead>
          <tr>
            <th scope="col">{t('site')}</th>
            <th scope="col">{t('lastRun')}</th>
            <th scope="col">{t('nextRun')}</th>
            <th scope="col">{t('history')}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((site) => (
            <tr key={site.websiteId ?? site.groupIds[0] ?? site.name}>
              <th scope="row">
                {site.lastBatch === null ? (
                  <bdi>{site.name}</bdi>
                ) : (
                  <Link to="/runs/$batchId" params={{ batchId: site.lastBatch.id }}>
                    <bdi>{site.name}</bdi>
                  </Link>
                )}
              </th>
              <td>{site.lastBatch === null ? t('never') : <When time={site.lastBatch.createdAt} />}</td>
              <td>{site.nextRuns[0] === undefined ? t('onRequest') : <When time={site.nextRuns[0]} />}</td>
              <td>
                <HistoryStrip days={site.series} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreSites count={count - sites.length} />
    </Panel>
  );
}
