import '../ui/tokens.css';
import '../ui/base.css';
import './guest.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Crop, Viewer } from '../viewer';
import { AcceptChange } from './AcceptChange';
import { type GuestData, read } from './data';
import { Decide } from './Decide';
import { words } from './language';

const data = read();
const place = document.getElementById('viewer');
if (data.comparison && place) {
  document.documentElement.classList.add('with-viewer');
  createRoot(place).render(
    <StrictMode>
      <Viewer comparison={data.comparison} messages={words.viewer} />
    </StrictMode>,
  );
}
for (const [id, crop] of Object.entries(data.crops ?? {})) {
  const slot = document.getElementById(id);
  if (slot) {
    createRoot(slot).render(<Crop {...crop} maxWidth={300} maxHeight={180} />);
  }
}
const decisions = document.getElementById('guest');
if (data.guest && decisions) {
  createRoot(decisions).render(
    <StrictMode>
      <Decide guest={data.guest} onStatus={(status) => document.getElementById('status')?.replaceChildren(status)} />
    </StrictMode>,
  );
}
if (data.guest?.changes) {
  offerToAccept(data.guest, data.guest.changes);
}

/** Puts a button beside each change of the batch. What it changes is shown at the pages below, too. */
function offerToAccept(guest: GuestData, changes: NonNullable<GuestData['changes']>): void {
  const earlier = new Map<Element, string>();
  const show = (comparisons: readonly string[], approved: boolean) => {
    for (const id of comparisons) {
      const status = document.querySelector(`[data-comparison="${CSS.escape(id)}"] .status`);
      if (!status) {
        continue; // on another page of the list
      }
      const next = approved ? words.status.ok : (earlier.get(status) ?? words.status.new);
      earlier.set(status, status.textContent);
      status.textContent = next;
    }
  };
  for (const change of changes) {
    const slot = document.getElementById(change.slot);
    if (slot) {
      createRoot(slot).render(<AcceptChange batch={guest.batch} change={change} onChanged={show} />);
    }
  }
}
