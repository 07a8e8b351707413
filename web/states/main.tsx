import '@fontsource-variable/inter';
import '../ui/tokens.css';
import '../ui/base.css';

import { createRoot } from 'react-dom/client';

import { States } from './States';

const element = document.getElementById('states');
if (element === null) {
  throw new Error('states/index.html has no element with the id "states".');
}
createRoot(element).render(<States />);
