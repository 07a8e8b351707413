import '@fontsource-variable/inter';
import '../ui/tokens.css';
import '../ui/base.css';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';

import { client } from './api/client';
import { loadMessages, preferredLanguage } from './i18n';
import { router } from './router';
import { ViewerGate } from './shell/ViewerGate';
import { applyTheme } from './shell/theme';

async function start(element: HTMLElement): Promise<void> {
  const language = preferredLanguage();
  document.documentElement.lang = language;
  applyTheme();
  const messages = await loadMessages(language);
  createRoot(element).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Provider value={client}>
          <ViewerGate language={language} messages={messages}>
            <RouterProvider router={router} />
          </ViewerGate>
        </Provider>
      </CSPProvider>
    </StrictMode>,
  );
}

const element = document.getElementById('app');
if (element === null) {
  throw new Error('app/index.html has no element with the id "app".');
}
void start(element);
