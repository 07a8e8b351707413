// What goes on in the account, as it happens. One subscription feeds every
// screen: objects in its events update the cache, and screens that show lists
// ask again when something of their kind happened.
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Client } from 'urql';

import { codeOf } from './problem';
import { graphql } from './generated';
import type { AccountLiveSubscription, EventKind } from './generated/graphql';
import { sessionEnded } from './session';
import { isRefusal } from './socket';
import { Store } from './store';

const AccountLive = graphql(`
  subscription AccountLive($after: EventNumber) {
    accountLive(after: $after) {
      number
      openAlarms
      checksLeft
      runs {
        ...RunSummary
      }
      events {
        number
        kind
        subjectId
        batchId
        subject {
          id
          ... on Batch {
            ...RunSummary
          }
          ... on Comparison {
            status
            updatedAt
          }
          ... on QueueEntry {
            entryStatus: status
            reason
            errorMsg
            notice
            imageLink
          }
        }
      }
    }
  }
`);

export const RunSummary = graphql(`
  fragment RunSummary on Batch {
    id
    name
    type
    source
    createdAt
    finishedAt
    cancelledAt
    expiredAt
    comparisonsCount {
      ok
      new
      falsePositive
      toFix
      aboveThreshold
    }
    queuesCount {
      open
      processing
      done
      failed
      total
    }
    completion {
      planned
      done
      ahead
      estimatedFinishAt
    }
  }
`);

export type LiveMessage = AccountLiveSubscription['accountLive'];
export type LiveEvent = LiveMessage['events'][number];

/** How the connection is doing: `interrupted` from the first failure until a message arrives. */
export type Connection = 'connecting' | 'live' | 'interrupted';

export const connection = new Store<Connection>('connecting');

/** The newest message; undefined before the first. */
export const liveMessage = new Store<LiveMessage | undefined>(undefined);

type Listener = (events: readonly LiveEvent[] | 'unknown') => void;
const listeners = new Set<Listener>();

const patience = { first: 500, most: 15_000 }; // milliseconds

/** Follows the account until the returned function is called. Each new attempt asks for what came after the last message. */
export function followAccount(client: Client): () => void {
  let after: number | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe: (() => void) | undefined;
  let stopped = false;

  const receive = (message: LiveMessage) => {
    failures = 0;
    after = message.number;
    connection.set('live');
    liveMessage.set(message);
    if (message.events.length > 0) {
      listeners.forEach((listener) => listener(message.events));
    }
  };

  const fail = (problem: unknown, removed: boolean) => {
    unsubscribe?.();
    if (stopped) {
      return;
    }
    if (isRefusal(problem)) {
      sessionEnded.set(true);
      return;
    }
    if (removed) {
      // The events since then are no longer kept: all that is shown may be old.
      after = undefined;
      listeners.forEach((listener) => listener('unknown'));
    }
    connection.set('interrupted');
    // Longer after each failure, and not at the same moment as everybody else.
    const most = Math.min(patience.most, patience.first * 2 ** failures);
    failures += 1;
    timer = setTimeout(attempt, most / 2 + (Math.random() * most) / 2);
  };

  const attempt = () => {
    clearTimeout(timer);
    let over = false;
    const end = (problem: unknown, removed: boolean) => {
      if (!over) {
        over = true;
        queueMicrotask(() => fail(problem, removed));
      }
    };
    const subscription = client.subscription(AccountLive, { after: after ?? null }).subscribe((result) => {
      if (result.data !== undefined && result.error === undefined && result.hasNext) {
        receive(result.data.accountLive);
        return;
      }
      end(result.error?.networkError, result.error !== undefined && codeOf(result.error) === 'INVALID');
    });
    unsubscribe = subscription.unsubscribe;
  };

  attempt();
  const comeBack = () => {
    if (connection.get() === 'interrupted') {
      failures = 0;
      attempt();
    }
  };
  window.addEventListener('online', comeBack);
  return () => {
    stopped = true;
    clearTimeout(timer);
    window.removeEventListener('online', comeBack);
    unsubscribe?.();
  };
}

const settle = 800; // milliseconds that belong together: many events, one refresh

/**
 * Calls refresh, at most about once per second, after events of these kinds and, if a batch is given, of that batch.
 * It is also called when it is unknown what was missed.
 */
export function useLiveRefresh(kinds: readonly EventKind[], refresh: () => void, batchId?: string): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const run = useEffectEvent(() => {
    timer.current = undefined;
    refresh();
  });
  const concerns = useEffectEvent((event: LiveEvent) => {
    return kinds.includes(event.kind) && (batchId === undefined || event.batchId === batchId);
  });
  useEffect(() => {
    const listener: Listener = (events) => {
      if (timer.current === undefined && (events === 'unknown' || events.some(concerns))) {
        timer.current = setTimeout(run, settle);
      }
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
}
