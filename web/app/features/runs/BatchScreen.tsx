import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CombinedError } from 'urql';

import { Page } from '../../../ui/Page';
import { codeOf } from '../../api/problem';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { RunPage } from './RunPage';
import type { RunHead } from './query';

interface Props {
  /** undefined before the first answer, null when there is no such run. */
  batch: RunHead | null | undefined;
  error: CombinedError | undefined;
  retry: () => void;
  children: (run: RunHead) => ReactNode;
}

/** A view of a run, or why there is none. */
export function BatchScreen({ batch, error, retry, children }: Props) {
  const t = useTranslations('runs');
  if (error === undefined ? batch === null : codeOf(error) === 'NOT_FOUND') {
    return <Missing />;
  }
  if (batch === null || batch === undefined) {
    return (
      <Page title={t('one')}>
        <Loaded data={undefined} error={error} retry={retry} />
      </Page>
    );
  }
  return <RunPage run={batch}>{children(batch)}</RunPage>;
}
