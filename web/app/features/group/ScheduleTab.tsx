import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { SwitchField } from '../../../ui/Switch';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useAction } from '../../shell/action';
import { useMay, useViewer } from '../../shell/viewer';
import { When } from '../../shell/When';
import { Frame } from './Frame';
import css from './Group.module.css';
import { ScheduleFields } from './ScheduleFields';
import { GroupScheduleDocument, UpdateGroupDocument, type ScheduleGroup } from './query';
import { useScheduleWords, type Schedule } from './words';

/** When a group runs: in words, its next runs, and the form that changes it. */
export function ScheduleTab({ groupId }: { groupId: string }) {
  const { data, error, refresh } = useRefreshable({ query: GroupScheduleDocument, variables: { id: groupId } });
  useLiveRefresh(['GROUP_UPDATED', 'BATCH_CREATED', 'RUN_MISSED'], refresh);
  const group = data?.group ?? undefined;
  return (
    <Frame groupId={groupId} tab="schedule" group={group} error={error} retry={refresh}>
      {group !== undefined && (
        <>
          <Coming group={group} />
          <Change key={group.id} group={group} />
        </>
      )}
    </Frame>
  );
}

function Coming({ group }: { group: ScheduleGroup }) {
  const t = useTranslations('group.schedule');
  const format = useFormatter();
  const words = useScheduleWords();
  const { timezone } = useViewer().account;
  return (
    <Panel title={t('now')}>
      <p className={css.words}>{words(group, timezone)}</p>
      {group.estimatedMonthlyChecks > 0 && <p className={css.quiet}>{t('estimate', { checks: group.estimatedMonthlyChecks })}</p>}
      {group.nextRuns.length > 0 && (
        <ol className={css.runs} aria-label={t('next')}>
          {group.nextRuns.map((run) => (
            <li key={run}>
              <span>
                {format.dateTime(new Date(run), {
                  weekday: 'long',
                  day: 'numeric',
                  month: 'long',
                  hour: '2-digit',
                  minute: '2-digit',
                  hourCycle: 'h23',
                })}
              </span>
              <span className={css.quiet}>
                <When time={run} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Change({ group }: { group: ScheduleGroup }) {
  const t = useTranslations('group.schedule');
  const words = useScheduleWords();
  const mayEdit = useMay('EDIT');
  const { timezone } = useViewer().account;
  const { act, busy, problems } = useAction(UpdateGroupDocument);
  const [draft, setDraft] = useState<Schedule>(group);
  const [saved, setSaved] = useState(group.triggers.length > 0);
  if (!mayEdit) {
    return null;
  }
  const { monitoring, enabled, scheduleType, hourOfDay, intervalInH, scheduleDays, quietHoursStart, quietHoursEnd } = draft;
  const days = scheduleType === 'WEEKLY' || scheduleType === 'MONTHLY' ? { scheduleDays: [...(scheduleDays ?? [])] } : {};
  const triggers = saved && monitoring ? [{ type: 'POST_SAVE', scope: 'URL' } as const] : [];
  const input = { monitoring, enabled, scheduleType, hourOfDay, intervalInH, quietHoursStart, quietHoursEnd, triggers, ...days };
  return (
    <Panel title={t('change')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void act({ id: group.id, input }, t('saved'));
        }}
      >
        <ScheduleFields draft={draft} problems={problems} onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
        {monitoring && <SwitchField label={t('postSave')} hint={t('postSaveAbout')} checked={saved} onChange={setSaved} />}
        <p className={css.words} role="status">
          {words(draft, timezone) !== words(group, timezone) && words(draft, timezone)}
        </p>
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      </form>
    </Panel>
  );
}
