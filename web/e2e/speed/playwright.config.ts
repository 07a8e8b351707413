import { settings } from '../settings';

export default settings('TestDashboardSpeed ./e2e', 'speed', {
  use: { viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' },
});
