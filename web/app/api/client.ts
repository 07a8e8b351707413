import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, fetchExchange, subscriptionExchange, type ExecutionResult } from 'urql';

import { cacheOptions } from './cache';
import { documentExchange } from './documents';
import { clientHeader, sessionFetch } from './session';
import { socket } from './socket';

/** A client of the API: a normalised cache, documents by hash, one socket for what is live. */
export const makeClient = () =>
  new Client({
    url: '/graphql',
    fetch: sessionFetch,
    // Without this the client would also take event streams, which are not compressed.
    fetchOptions: { headers: { ...clientHeader, Accept: 'application/graphql-response+json, application/json' } },
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [
      cacheExchange(cacheOptions),
      documentExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query: request.query ?? '', variables: request.variables ?? {} },
              {
                next: (result) => sink.next(result as ExecutionResult),
                error: (problem) => sink.error(problem),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      }),
    ],
  });
