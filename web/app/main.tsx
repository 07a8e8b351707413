import '@fontsource-variable/inter';
import '../ui/tokens.css';
import '../ui/base.css';

import { createRoot } from 'react-dom/client';

import { Dashboard } from './Dashboard';
import { makeClient } from './api/client';
import { loadMessages, preferredLanguage } from './i18n';
import { makeRouter } from './router';
import { applyTheme } from './shell/theme';

async function start(element: HTMLElement): Promise<void> {
  const language = preferredLanguage();
  document.documentElement.lang = language;
  applyTheme();
  const messages = await loadMessages(language);
  createRoot(element).render(<Dashboard client={makeClient()} router={makeRouter()} language={language} messages={messages} />);
}

const element = document.getElementById('app');
if (element === null) {
  throw new Error('app/index.html has no element with the id "app".');
}
void start(element);
