import '../ui/tokens.css';
import '../ui/base.css';
import '../guest/guest.css';
import './report.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { readReport } from './data';
import { Overview } from './Overview';
import { PageView } from './PageView';
import { useRoute } from './route';

const report = readReport();

function App() {
  const { page, change } = useRoute();
  const shown = page === null ? undefined : report.pages[page];
  return page === null || shown === undefined ? (
    <Overview report={report} />
  ) : (
    <PageView key={page} report={report} page={shown} number={page} change={change} />
  );
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
