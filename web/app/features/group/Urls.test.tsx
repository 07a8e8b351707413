import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { show } from '../../../testing/show';

const urls = ({ filter }: { filter?: { search?: string | null } }) => {
  const addresses = ['example.com/blog/1', 'example.com/shop/1'].filter((address) => address.includes(filter?.search ?? ''));
  return {
    totalCount: addresses.length,
    nodes: addresses.map((address, index) => ({ groupId: 'g1', urlId: `u${index}`, address, desktop: true, mobile: true })),
  };
};

test('URLs are found while events keep coming, though each answer takes longer than events are apart', async () => {
  const shop = { id: 'g1', name: 'Shop', urlsCount: 2, urls };
  const { server, user } = await show('/groups/g1', { group: shop, groups: { totalCount: 1 }, tags: [] });
  expect(await screen.findByRole('heading', { name: '2 URLs' })).toBeVisible();
  server.pause = 1_200;
  let number = 0;
  const timer = setInterval(() => {
    const event = { number: ++number, kind: 'GROUP_UPDATED', subjectId: 'g1' };
    void server.tell({ number, openAlarms: 0, checksLeft: 900, runs: [], events: [event] });
  }, 200);
  await user.type(screen.getByRole('searchbox', { name: 'Search addresses and titles' }), 'blog');
  expect(await screen.findByRole('heading', { name: '1 URL found' })).toBeVisible();
  clearInterval(timer);
}, 60_000);
