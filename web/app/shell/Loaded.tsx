import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CombinedError } from 'urql';

import { Loading, Problem } from '../../ui/States';
import { explain } from '../api/problem';

interface Props<Data> {
  data: Data | undefined;
  error: CombinedError | undefined;
  retry: () => void;
  children?: (data: Data) => ReactNode;
}

/** What was asked for; until it is there, that it is coming, or why it is not. */
export function Loaded<Data>({ data, error, retry, children }: Props<Data>) {
  const t = useTranslations('problems');
  // Where everything was refused, the data is null.
  if (data !== undefined && data !== null) {
    return children?.(data);
  }
  return error === undefined ? (
    <Loading label={t('loading')} />
  ) : (
    <Problem title={t('notLoaded')} message={explain(error)} retry={{ label: t('retry'), run: retry }} />
  );
}
