import { settings } from '../settings';

export default settings('TestDashboardThroughARestart ./e2e', 'restart', { expect: { timeout: 120_000 } });
