import { settings } from '../settings';

export default settings('TestStatesOfTheDashboard ./e2e', 'states', {
  use: { viewport: { width: 1280, height: 720 }, reducedMotion: 'no-preference' },
});
