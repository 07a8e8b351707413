import '../ui/tokens.css';
import '../ui/base.css';
import './guest.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { type Box, Crop, type Comparison, Viewer, type ViewerPicture } from '../viewer';

/** What the program writes into the page of one comparison, and into that of a batch. */
interface Data {
  readonly comparison?: Comparison;
  readonly crops?: Readonly<Record<string, { readonly picture: ViewerPicture; readonly box: Box; readonly label: string }>>;
}

/** The data of the page. It is text that is parsed, never run. */
function read(): Data {
  const text = document.getElementById('data')?.textContent;
  return text ? (JSON.parse(text) as Data) : {};
}

const data = read();
const place = document.getElementById('viewer');
if (data.comparison && place) {
  document.documentElement.classList.add('with-viewer');
  createRoot(place).render(
    <StrictMode>
      <Viewer comparison={data.comparison} />
    </StrictMode>,
  );
}
for (const [id, crop] of Object.entries(data.crops ?? {})) {
  const slot = document.getElementById(id);
  if (slot) {
    createRoot(slot).render(<Crop {...crop} maxWidth={300} maxHeight={180} />);
  }
}
