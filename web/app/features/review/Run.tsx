import { getRouteApi } from '@tanstack/react-router';

import { ProgressView } from '../runs/ProgressView';
import { ChangesView } from './ChangesView';
import { PagesView } from './PagesView';

const route = getRouteApi('/runs/$batchId');

/** A run in one of its views; each asks for all that it shows in one request. */
export function Run() {
  const { batchId } = route.useParams();
  const { view } = route.useSearch();
  switch (view) {
    case 'pages':
      return <PagesView key={batchId} batchId={batchId} />;
    case 'progress':
      return <ProgressView key={batchId} batchId={batchId} />;
    case 'changes':
      return <ChangesView key={batchId} batchId={batchId} />;
  }
}
