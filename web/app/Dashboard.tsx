import { CSPProvider } from '@base-ui/react/csp-provider';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { Provider, type Client } from 'urql';

import type { Language, Messages } from './i18n';
import type { makeRouter } from './router';
import { ViewerGate } from './shell/ViewerGate';

interface Props {
  client: Client;
  router: ReturnType<typeof makeRouter>;
  language: Language;
  messages: Messages;
}

/** The whole dashboard, with what it asks, where it is and in which language. */
export function Dashboard({ client, router, language, messages }: Props) {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Provider value={client}>
          <ViewerGate language={language} messages={messages}>
            <RouterProvider router={router} />
          </ViewerGate>
        </Provider>
      </CSPProvider>
    </StrictMode>
  );
}
