import { useQuery } from 'urql';
import { useTranslations } from 'use-intl';

import { SelectField } from '../../../ui/Field';
import { SignInFlowsDocument, type SettingsGroup } from './query';

interface Props {
  group: SettingsGroup;
  value: string;
  problem: string | undefined;
  disabled: boolean;
  onChange: (id: string) => void;
}

/** Which flow of the website signs in before the pages of the group are captured. */
export function SignInField({ group, value, problem, disabled, onChange }: Props) {
  const t = useTranslations('group.settings');
  const [{ data }] = useQuery({
    query: SignInFlowsDocument,
    variables: { websiteId: group.websiteId ?? '' },
    pause: group.websiteId === null,
  });
  const flows = data?.flows.nodes ?? [];
  // The chosen one is there in any case: also until the others have come.
  const chosen = group.signInFlow;
  const all = chosen === null || flows.some(({ id }) => id === chosen.id) ? flows : [chosen, ...flows];
  return (
    <SelectField
      label={t('signIn')}
      hint={t(group.websiteId === null ? 'signInWithout' : 'signInAbout')}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t('noSignIn') }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
      problem={problem}
      disabled={disabled || (group.websiteId === null && chosen === null)}
    />
  );
}
