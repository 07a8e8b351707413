import { useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Panel } from '../../../ui/Panel';
import { useLiveRefresh } from '../../api/live';
import { useRefreshable } from '../../api/refreshable';
import { useAction } from '../../shell/action';
import { useMay } from '../../shell/viewer';
import { AccessFields, AlarmFields, CodeFields, GeneralFields } from './SettingsFields';
import { draftOf, gateOf, inputOf } from './draft';
import { Frame } from './Frame';
import { GateFields } from './GateFields';
import css from './Group.module.css';
import { SignInField } from './SignInField';
import { GroupSettingsDocument, UpdateGroupDocument, type SettingsGroup } from './query';

/** How the pages of a group are captured and compared. */
export function SettingsTab({ groupId }: { groupId: string }) {
  const { data, error, refresh } = useRefreshable({ query: GroupSettingsDocument, variables: { id: groupId } });
  useLiveRefresh(['GROUP_UPDATED'], refresh);
  const group = data?.group ?? undefined;
  return (
    <Frame groupId={groupId} tab="settings" group={group} error={error} retry={refresh}>
      {group !== undefined && <Form key={group.id} group={group} />}
    </Frame>
  );
}

function Form({ group }: { group: SettingsGroup }) {
  const t = useTranslations('group.settings');
  const mayEdit = useMay('EDIT');
  const [draft, setDraft] = useState(() => draftOf(group));
  const { act, busy, problems } = useAction(UpdateGroupDocument);
  const reset = useAction(UpdateGroupDocument);
  const fields = {
    draft,
    problems,
    disabled: !mayEdit,
    hasPassword: group.hasBasicAuth,
    onChange: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  };
  const save = async () => {
    const data = await act({ id: group.id, input: inputOf(draft, group) }, t('saved'));
    if (data !== undefined) {
      setDraft((old) => ({ ...old, password: '' }));
    }
  };
  const resetGate = async () => {
    const rules = (await reset.act({ id: group.id, input: { gateRules: null } }, t('gate.wasReset')))?.updateGroup.group.gateRules;
    if (rules !== undefined) {
      setDraft((old) => ({ ...old, gate: gateOf(rules) }));
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Panel title={t('general')}>
        <GeneralFields {...fields} />
      </Panel>
      <Panel title={t('alarms')}>
        <AlarmFields {...fields} />
      </Panel>
      <Panel title={t('gate.title')}>
        <GateFields {...fields} busy={reset.busy} onReset={() => void resetGate()} />
      </Panel>
      <Panel title={t('access')}>
        <AccessFields {...fields} />
        <SignInField
          group={group}
          value={draft.signInFlow}
          problem={problems['signInFlowId']}
          disabled={!mayEdit}
          onChange={(signInFlow) => fields.onChange({ signInFlow })}
        />
      </Panel>
      <Panel title={t('code')}>
        <CodeFields {...fields} />
      </Panel>
      {mayEdit && (
        <p className={css.save}>
          <Button type="submit" look="primary" busy={busy}>
            {t('save')}
          </Button>
        </p>
      )}
    </form>
  );
}
