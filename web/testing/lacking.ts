// What components need of a browser and jsdom does not have: it draws nothing, so that all sizes are 0, and has no network. This is
// there before the modules of a page are loaded.
import { vi } from 'vitest';

import { Socket } from './socket';

class NoObserver {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
  takeRecords = () => [];
}

vi.stubGlobal('ResizeObserver', NoObserver);
vi.stubGlobal('IntersectionObserver', NoObserver);
vi.stubGlobal('WebSocket', Socket);
vi.stubGlobal('scrollTo', () => undefined);
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
Element.prototype.getAnimations = () => [];
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

/** What media queries a page is told to match. */
export const media = new Set<string>();

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: media.has(query),
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
