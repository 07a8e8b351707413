import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button, buttonClass } from '../../../ui/Button';
import { Progress } from '../../../ui/Progress';
import { SwitchField } from '../../../ui/Switch';
import { useLiveRefresh } from '../../api/live';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { useAction } from '../../shell/action';
import { SelectAllDocument, TakeScreenshotsDocument, UpdateGroupDocument } from '../group/query';
import css from './Start.module.css';
import { FirstRunDocument } from './query';

const route = getRouteApi('/start');

/** Chooses the devices and takes the first screenshots; when they are there, the second ones, which are compared. */
export function FirstRun({ groupId, batchId }: { groupId: string; batchId: string | undefined }) {
  return batchId === undefined ? <Devices groupId={groupId} /> : <Running groupId={groupId} batchId={batchId} />;
}

function Devices({ groupId }: { groupId: string }) {
  const t = useTranslations('start');
  const navigate = route.useNavigate();
  const [desktop, setDesktop] = useState(true);
  const [mobile, setMobile] = useState(true);
  const select = useAction(SelectAllDocument);
  const take = useAction(TakeScreenshotsDocument);
  const begin = async () => {
    for (const [device, enabled] of [
      ['DESKTOP', desktop],
      ['MOBILE', mobile],
    ] as const) {
      if ((await select.act({ groupId, device, enabled })) === undefined) {
        return;
      }
    }
    const data = await take.act({ input: { groupIds: [groupId], scType: 'PRE' } });
    if (data !== undefined) {
      void navigate({ search: (old) => ({ ...old, reading: undefined, batch: data.takeScreenshots.batchId }) });
    }
  };
  return (
    <>
      <SwitchField label={t('desktop')} checked={desktop} onChange={setDesktop} />
      <SwitchField label={t('mobile')} checked={mobile} onChange={setMobile} />
      <Button look="primary" busy={select.busy || take.busy} disabled={!desktop && !mobile} onClick={() => void begin()}>
        {t('first')}
      </Button>
    </>
  );
}

function Running({ groupId, batchId }: { groupId: string; batchId: string }) {
  const t = useTranslations('start');
  const navigate = route.useNavigate();
  const { data, error, refresh } = useRefreshable({ query: FirstRunDocument, variables: { id: batchId } });
  useLiveRefresh(['QUEUE_STATUS_DONE', 'QUEUE_STATUS_FAILED', 'BATCH_UPDATED', 'BATCH_FINISHED'], refresh, batchId);
  const take = useAction(TakeScreenshotsDocument);
  const watch = useAction(UpdateGroupDocument);
  const run = data?.batch;
  const compared = run?.type === 'POST';
  const finished = run !== undefined && run !== null && run.finishedAt !== null;
  const compare = async () => {
    const started = await take.act({ input: { groupIds: [groupId], scType: 'POST' } });
    if (started !== undefined) {
      void navigate({ search: (old) => ({ ...old, batch: started.takeScreenshots.batchId }) });
    }
  };
  if (error !== undefined && codeOf(error) === 'NOT_FOUND') {
    return (
      <>
        <p role="alert">{t('lost')}</p>
        <Devices groupId={groupId} />
      </>
    );
  }
  return (
    <>
      <p className={css.words} role="status">
        {!finished ? t(compared ? 'comparing' : 'taking') : compared ? t('compared', { changed: run.comparisonsCount.new }) : t('taken')}
      </p>
      <Progress
        label={t(compared ? 'comparing' : 'taking')}
        done={run?.completion.done ?? 0}
        planned={run?.completion.planned ?? 0}
        failed={run?.queuesCount.failed ?? 0}
      />
      {run !== undefined && run !== null && run.queuesCount.failed > 0 && (
        <p className={css.failed}>
          {t('failed', { count: run.queuesCount.failed })}{' '}
          <Link to="/runs/$batchId" params={{ batchId }} search={{ view: 'progress' }}>
            {t('why')}
          </Link>
        </p>
      )}
      <p className={css.on}>
        {finished && compared && (
          <Link to="/runs/$batchId" params={{ batchId }} className={buttonClass('primary')}>
            {t('see')}
          </Link>
        )}
        {finished && !compared && (
          <Button look="primary" busy={take.busy} onClick={() => void compare()}>
            {t('compare')}
          </Button>
        )}
        {finished && (
          <Button busy={watch.busy} onClick={() => void watch.act({ id: groupId, input: { monitoring: true } }, t('watched'))}>
            {t('watch')}
          </Button>
        )}
        <Link to="/groups/$groupId" params={{ groupId }} className={buttonClass()}>
          {t('toGroup')}
        </Link>
      </p>
    </>
  );
}
