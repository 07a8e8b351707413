import { settings } from '../settings';

export default settings('TestTheViewerInABrowser ./internal/review', 'viewer', {
  workers: 2,
  fullyParallel: true,
  use: { viewport: { width: 1280, height: 800 } },
});
