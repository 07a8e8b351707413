import { settings } from '../settings';

export default settings('TestTheViewerInABrowser ./internal/review', 'viewer', {
  use: { viewport: { width: 1280, height: 800 } },
});
