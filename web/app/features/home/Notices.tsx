import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { useNow } from '../../shell/now';
import css from './Notices.module.css';
import type { HomeData } from './query';
import type { HomeQuery } from '../../api/generated/graphql';

const low = 0.2; // of the period's checks

interface Props {
  account: HomeData;
  webhooks: HomeQuery['webhooks']['nodes'];
}

/** What is wrong although no page changed: nobody would notice it otherwise. */
export function Notices({ account, webhooks }: Props) {
  const t = useTranslations('home.notices');
  const format = useFormatter();
  const now = useNow();
  const notices: ReactNode[] = [];
  if (account.status === 'PAUSED') {
    notices.push(t('paused'));
  }
  const { checksLeft, missedRuns } = account.overview;
  if (checksLeft <= account.checksLimit * low) {
    notices.push(t('checksLow', { left: checksLeft, renewal: format.dateTime(new Date(account.renewalAt), { dateStyle: 'long' }) }));
  }
  for (const group of missedRuns) {
    notices.push(t('missedRun', { group: group.name, reason: group.missedRun ?? 'other' }));
  }
  for (const webhook of webhooks) {
    if (webhook.disabledAt !== null) {
      notices.push(t('webhookDisabled', { url: webhook.url }));
    } else if (webhook.failingSince !== null) {
      notices.push(t('webhookFailing', { url: webhook.url, since: format.relativeTime(new Date(webhook.failingSince), now) }));
    }
  }
  if (notices.length === 0) {
    return null;
  }
  return (
    <ul className={css.notices} aria-label={t('label')}>
      {notices.map((notice, index) => (
        <li key={index} className={css.notice}>
          <TriangleAlert aria-hidden="true" />
          <span>{notice}</span>
        </li>
      ))}
    </ul>
  );
}
