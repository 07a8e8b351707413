// The network of a test is its server, and a page that reports an error fails its test.
import '@testing-library/jest-dom/vitest';
import './lacking';

import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import { connection, liveMessage } from '../app/api/live';
import { sessionEnded } from '../app/api/session';
import { media } from './lacking';
import { serve, serving } from './server';

// What is awaited comes; on a machine with much to do it comes late.
configure({ asyncUtilTimeout: 60_000 });

const said: unknown[] = [];

beforeEach(() => {
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => serving().post(JSON.parse(init.body) as { query: string }));
  vi.spyOn(console, 'debug').mockImplementation(() => undefined); // of the cache
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void said.push(words));
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  serve(undefined);
  media.clear();
  sessionEnded.set(false);
  connection.set('connecting');
  liveMessage.set(undefined);
  window.localStorage.clear();
  expect(said.splice(0)).toEqual([]);
});
