import { persistedExchange } from '@urql/exchange-persisted';
import { composeExchanges, makeOperation, type Exchange, type Operation, type OperationResult, type TypedDocumentNode } from 'urql';
import { filter, makeSubject, merge, pipe } from 'wonka';

// The server knows the dashboard's documents by the hash of their text, so the
// browser sends the hash alone. After an upgrade an open page has documents
// that the new server may not know: from then on it sends their text.
let named = import.meta.env.PROD;

/** What the generator knows of a document: the hash under which the server knows it, too. */
function hashOf(document: TypedDocumentNode): string | undefined {
  const meta = (document as { __meta__?: { hash?: string } }).__meta__;
  return named ? meta?.hash : undefined;
}

const isUnknown = ({ error }: OperationResult) =>
  error?.graphQLErrors.some((each) => each.extensions['code'] === 'PERSISTED_QUERY_NOT_FOUND') ?? false;

/** Asks again with the text what the server does not know by its hash. */
const retryUnknown: Exchange =
  ({ forward }) =>
  (operations) => {
    const retries = makeSubject<Operation>();
    return pipe(
      forward(merge([operations, retries.source])),
      filter((result) => {
        const retry = named && isUnknown(result);
        if (retry) {
          named = false;
          retries.next(makeOperation(result.operation.kind, result.operation));
        }
        return !retry;
      }),
    );
  };

/** Documents by hash, for everything but subscriptions. */
export const documentExchange: Exchange = composeExchanges([
  retryUnknown,
  persistedExchange({
    preferGetForPersistedQueries: false,
    enableForMutation: true,
    enforcePersistedQueries: true,
    generateHash: (_, document) => Promise.resolve(hashOf(document)),
  }),
]);
