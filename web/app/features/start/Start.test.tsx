import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { show } from '../../../testing/show';

const at = '/start?group=g1&domain=shop.test&reading=i1';
const read = { id: 'i1', state: 'DONE', urlsCount: 130, addedCount: 130, problems: [] };
const found = Array.from({ length: 100 }, (_, index) => ({ id: `u${index}`, address: `shop.test/${String(index).padStart(3, '0')}` }));
const suggestPages = [
  { url: { id: 'front', address: 'shop.test/' }, reason: 'FRONT', others: 0 },
  { url: { id: 'cart', address: 'shop.test/cart' }, reason: 'CART', others: 0 },
  { url: { id: 'u7', address: 'shop.test/007' }, reason: 'KIND', others: 127 },
];

const site = {
  urlImport: read,
  urls: { totalCount: 130, nodes: found },
  suggestPages,
  addUrlsToGroup: { count: 2, groupId: 'g1', group: { id: 'g1', name: 'Shop' } },
};

test('of a large site the pages that are most worth checking are suggested, and why', async () => {
  const { server, user } = await show(at, site);
  const pages = await screen.findByRole('list', { name: 'Pages to add' });
  expect(within(pages).getAllByRole('checkbox')).toHaveLength(3);
  expect(screen.getByText(/The 3 most important pages to check/)).toBeVisible();
  expect(within(pages).getByRole('checkbox', { name: 'shop.test/cart' })).toHaveAccessibleDescription('Cart');
  expect(within(pages).getByRole('checkbox', { name: 'shop.test/007' })).toHaveAccessibleDescription(
    'First of its kind · 127 more like it',
  );
  await user.click(within(pages).getByRole('checkbox', { name: 'shop.test/cart' }));
  await user.click(screen.getByRole('button', { name: 'Add 2 pages' }));
  expect(await screen.findByRole('button', { name: 'Take the first screenshots' })).toBeVisible();
  expect(server.variablesOf('AddUrls')).toEqual([{ groupId: 'g1', urls: [{ id: 'front' }, { id: 'u7' }] }]);
});

test('other pages can be chosen from, or all be added', async () => {
  const { user } = await show(at, site);
  await user.click(await screen.findByRole('button', { name: 'Choose from all 130 pages' }));
  expect(screen.getAllByRole('checkbox')).toHaveLength(100);
  expect(screen.getByText(/The first 100 pages by address/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Add all 130' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show only suggested pages' }));
  expect(screen.getAllByRole('checkbox')).toHaveLength(3);
});

test('of a small site all pages are chosen, in German', async () => {
  const small = { urls: { totalCount: 2, nodes: found.slice(0, 2) }, suggestPages: suggestPages.slice(0, 2) };
  await show(at, { ...site, ...small }, { language: 'de' });
  expect(await screen.findByRole('button', { name: '2 Seiten hinzufügen' })).toBeVisible();
  expect(screen.queryByText(/wichtigste/)).not.toBeInTheDocument();
});
