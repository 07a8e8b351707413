import { settings } from '../settings';

export default settings('TestScreens ./e2e', 'screens');
