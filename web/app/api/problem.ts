import type { CombinedError } from 'urql';

/** What a refused field of an input was, as the server says it. */
export interface FieldProblem {
  path: string;
  rule: string;
  message: string;
}

/** The code of the first error of an answer, such as NOT_FOUND; undefined when the server could not be reached. */
export function codeOf(error: CombinedError): string | undefined {
  const code = error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : undefined;
}

/** The fields that the server refused, by the path in the input. */
export function fieldProblems(error: CombinedError): FieldProblem[] {
  return error.graphQLErrors.flatMap((each) => {
    const fields: unknown = each.extensions['fields'];
    return Array.isArray(fields) ? (fields as FieldProblem[]) : [];
  });
}

/** What was wrong, for the place of the field itself: there its path in the input says nothing to people. */
export function atField({ message }: FieldProblem): string {
  return message.replace(/^The \S+ field /, 'This field ');
}

/** What to tell about an error: the server's sentences, which say what to do, or the browser's reason. */
export function explain(error: CombinedError): string {
  if (error.graphQLErrors.length > 0) {
    const fields = fieldProblems(error).map((field) => field.message);
    return fields.length > 0 ? fields.join(' ') : error.graphQLErrors.map((each) => each.message).join(' ');
  }
  return error.networkError?.message ?? error.message;
}
