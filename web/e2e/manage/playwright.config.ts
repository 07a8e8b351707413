import { settings } from '../settings';

export default settings('TestManage ./e2e', 'manage');
