import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { useMutation, type AnyVariables } from 'urql';

import { tell } from '../../ui/Toasts';
import { atField, explain, fieldProblems } from '../api/problem';

interface Action<Data, Variables> {
  /** Does it; says so when it is done, or why it is not. Undefined when it was refused. */
  act: (variables: Variables, done?: string) => Promise<Data | undefined>;
  busy: boolean;
  /** What was wrong, by the name of the field. */
  problems: Readonly<Record<string, string>>;
}

/** A mutation with what belongs to it on a screen: it is under way, it worked, or some fields were refused. */
export function useAction<Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>): Action<Data, Variables> {
  const [{ fetching }, run] = useMutation(document);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const act = async (variables: Variables, done?: string) => {
    const { data, error } = await run(variables);
    if (error !== undefined || data === undefined) {
      const fields = error === undefined ? [] : fieldProblems(error);
      setProblems(Object.fromEntries(fields.map((field) => [field.path.replace(/^input\./, ''), atField(field)])));
      tell({ title: error === undefined ? '' : explain(error), tone: 'problem' });
      return undefined;
    }
    setProblems({});
    if (done !== undefined) {
      tell({ title: done });
    }
    return data;
  };
  return { act, busy: fetching, problems };
}
