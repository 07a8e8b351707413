import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';

import { Dashboard } from '../app/Dashboard';
import type { Permission } from '../app/api/generated/graphql';
import { makeClient } from '../app/api/client';
import { loadMessages, type Language } from '../app/i18n';
import { makeRouter } from '../app/router';
import { serve, Server, type Answers } from './server';

interface Options {
  language?: Language;
  /** What the viewer may do: everything, unless a test says less. */
  may?: readonly Permission[];
}

interface Shown {
  server: Server;
  user: UserEvent;
  /** Where the dashboard is now: the path with the search. */
  address: () => string;
}

export const account = { id: 'a1', email: 'account@example.com', timezone: 'UTC', status: 'ACTIVE', checksLeft: 900, checksLimit: 1000 };

const everything: readonly Permission[] = ['READ', 'RUN', 'REVIEW', 'EDIT', 'OWN'];

/** Shows the dashboard at an address, with a server that gives these answers. */
export async function show(at: string, answers: Answers, { language = 'en', may = everything }: Options = {}): Promise<Shown> {
  const viewer = { permissions: may, user: { id: 'u1', name: 'Ada', email: 'ada@example.com', role: 'OWNER' }, account };
  const server = new Server({ viewer, ...answers });
  serve(server);
  const router = makeRouter(createMemoryHistory({ initialEntries: [at] }));
  render(<Dashboard client={makeClient()} router={router} language={language} messages={await loadMessages(language)} />);
  return { server, user: userEvent.setup(), address: () => router.state.location.href };
}
