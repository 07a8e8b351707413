import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Badge } from '../../../ui/Badge';
import { Panel } from '../../../ui/Panel';
import { When } from '../../shell/When';
import { useViewer } from '../../shell/viewer';
import { useScheduleWords } from '../group/words';
import css from './Website.module.css';
import type { WebsiteGroup } from './query';

/** One of the two groups of a website, with the way to it. */
export function GroupCard({ title, group }: { title: string; group: WebsiteGroup | null }) {
  const t = useTranslations('website');
  const words = useScheduleWords();
  const { timezone } = useViewer().account;
  return (
    <Panel
      title={title}
      actions={group !== null && group.openAlarms > 0 && <Badge tone="alert">{t('open', { open: group.openAlarms })}</Badge>}
    >
      {group === null ? (
        <p className={css.quiet}>{t('deleted')}</p>
      ) : (
        <div className={css.card}>
          <Link to="/groups/$groupId" params={{ groupId: group.id }}>
            {group.name}
          </Link>
          <p className={css.words}>{words(group, timezone)}</p>
          <p className={css.quiet}>
            {t('figures', { urls: group.urlsCount, checks: group.selectedChecksCount })}
            {group.nextRunAt !== null && (
              <>
                {' · '}
                {t.rich('next', { when: () => <When time={group.nextRunAt ?? ''} /> })}
              </>
            )}
          </p>
        </div>
      )}
    </Panel>
  );
}
