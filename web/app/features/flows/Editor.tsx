import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Choices } from '../../../ui/Choices';
import { TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import { SwitchField } from '../../../ui/Switch';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import css from './Flows.module.css';
import { StepList } from './StepList';
import { AskForChanges, TrialOutcome } from './Trial';
import { inputOf, type Draft } from './draft';
import { CreateFlowDocument, UpdateFlowDocument } from './query';
import { groupOf, groupsOf, useRunning } from './running';
import { lasting, useTrial } from './useTrial';

interface Props {
  /** Undefined for a new flow. */
  flowId?: string;
  websiteId: string;
  website: Parameters<typeof groupOf>[1];
  start: Draft;
}

const devices = ['DESKTOP', 'MOBILE'] as const;

/** The form of a flow. It can be saved, or saved and tried at once. */
export function Editor({ flowId, websiteId, website, start }: Props) {
  const t = useTranslations('flows.editor');
  const device = useTranslations('device');
  const navigate = useNavigate();
  const mayEdit = useMay('EDIT');
  const mayRun = useMay('RUN');
  const [draft, setDraft] = useState(start);
  const create = useAction(CreateFlowDocument);
  const update = useAction(UpdateFlowDocument);
  const running = useRunning();
  const trial = useTrial(flowId === undefined ? { websiteId } : { flowId });
  const [asked, setAsked] = useState(0); // the last step that is to be tried if what lasts may be done
  const problems = { ...trial.problems, ...(flowId === undefined ? create.problems : update.problems) };
  const busy = create.busy || update.busy || running.busy;
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));

  const save = async (thenRun: boolean) => {
    const input = inputOf(draft);
    const id =
      flowId === undefined
        ? (await create.act({ input: { websiteId, ...input } }, t('saved')))?.createFlow.flow.id
        : (await update.act({ id: flowId, input }, t('saved')))?.updateFlow.flow.id;
    if (id === undefined) {
      return;
    }
    const group = groupOf({ id, ...draft }, website);
    if (thenRun && group !== undefined) {
      await running.run(id, group);
    }
    void navigate({ to: '/flows/$flowId', params: { flowId: id }, search: {} });
  };

  const tryTo = (lastStep: number) => {
    if (lasting(draft, lastStep).length > 0) {
      setAsked(lastStep);
    } else {
      void trial.start(draft, lastStep, false);
    }
  };

  return (
    <form
      className={css.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void save(false);
      }}
    >
      <Panel title={t('general')}>
        <div className={css.columns}>
          <TextField
            label={t('name')}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
            problem={problems['name']}
            maxLength={60}
            required
          />
          <TextField
            label={t('url')}
            hint={t('urlAbout')}
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
            problem={problems['url']}
            inputMode="url"
            required
          />
        </div>
        <Choices
          label={t('devices')}
          options={devices.map((value) => ({ value, label: device(value) }))}
          chosen={draft.devices}
          onChange={(chosen) => change({ devices: chosen })}
          problem={problems['devices']}
        />
        <SwitchField
          label={t('manual')}
          hint={t('manualAbout')}
          checked={draft.enabledManual}
          onChange={(enabledManual) => change({ enabledManual })}
        />
        <SwitchField
          label={t('monitoring')}
          hint={t('monitoringAbout')}
          checked={draft.enabledMonitoring}
          onChange={(enabledMonitoring) => change({ enabledMonitoring })}
        />
      </Panel>
      <StepList
        steps={draft.steps}
        groupIds={groupsOf(website)}
        problems={problems}
        onChange={(steps) => change({ steps })}
        onTry={mayEdit ? tryTo : undefined}
        tried={trial.steps}
      />
      <TrialOutcome trial={trial.trial} expired={trial.expired} />
      <AskForChanges
        steps={lasting(draft, asked)}
        onClose={() => setAsked(0)}
        onConfirm={() => {
          setAsked(0);
          void trial.start(draft, asked, true);
        }}
      />
      {mayEdit && (
        <div className={css.buttons}>
          <Button type="submit" look="primary" busy={busy}>
            {t('save')}
          </Button>
          <Button busy={trial.busy} title={t('tryAllAbout')} onClick={() => tryTo(draft.steps.length)}>
            {t('tryAll')}
          </Button>
          {trial.cancel !== undefined && <Button onClick={trial.cancel}>{t('cancelTrial')}</Button>}
          {mayRun && (
            <Button
              busy={busy}
              disabled={groupOf({ id: '', ...draft }, website) === undefined}
              title={t('tryAbout')}
              onClick={(event) => event.currentTarget.form?.reportValidity() === true && void save(true)}
            >
              {t('try')}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
