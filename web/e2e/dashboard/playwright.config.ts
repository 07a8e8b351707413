import { settings } from '../settings';

export default settings('TestDashboard ./e2e', 'dashboard');
