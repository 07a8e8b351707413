import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { media } from '../testing/lacking';
import { german, Viewer, type Change, type Comparison } from '.';

const box = (y: number) => ({ x: 0, y, width: 100, height: 20 });
const change = (id: string, y: number, verdict: Change['verdict'], title: string): Change => ({
  id,
  title,
  verdict,
  before: box(y),
  after: box(y),
});

const shifted: Comparison = {
  before: { width: 1280, height: 2000, url: '/images/before.png' },
  after: { width: 1280, height: 2064, url: '/images/after.png' },
  mask: null,
  bands: [{ kind: 'inserted', yBefore: 100, yAfter: 100, rows: 64, x0: 0, x1: 1280 }],
  changes: [
    change('a', 10, 'good', '<b>The footer</b> & everything below moved up.'),
    change('b', 300, 'unsure', 'A banner of 64 rows is new below the title.'),
    change('c', 600, 'good', 'The heading grew.'),
    change('d', 900, 'alert', 'The section “What customers say” is gone.'),
  ],
};

const list = () => screen.getByRole('complementary');
const items = () => within(list()).getAllByRole('listitem');

afterEach(() => vi.useRealTimers());

describe('the viewer', () => {
  test('is gone through with keys alone, round and round', async () => {
    const user = userEvent.setup();
    render(<Viewer comparison={shifted} />);
    const status = screen.getByRole('status');
    await user.keyboard('n');
    expect(status).toHaveTextContent('Change 1 of 4, Harmless: <b>The footer</b> & everything below moved up.');
    await user.keyboard('nnn');
    expect(status).toHaveTextContent('Change 4 of 4, Alert: The section “What customers say” is gone.');
    expect(within(items()[3] as HTMLElement).getByRole('button')).toHaveAttribute('aria-current', 'true');
    await user.keyboard('n');
    expect(status).toHaveTextContent('Change 1 of 4');
    await user.keyboard('p');
    expect(status).toHaveTextContent('Change 4 of 4');
    for (const [key, name] of ['Side by side', 'Slider', 'Overlay', 'Blink', 'Difference'].entries()) {
      await user.keyboard(String(key + 1));
      expect(screen.getByRole('radio', { name })).toBeChecked();
    }
    await user.keyboard('ax');
    expect(screen.getByRole('button', { name: 'Align rows' })).toHaveAttribute('aria-pressed', 'false');
    expect(screen.getByRole('button', { name: 'Mark changes' })).toHaveAttribute('aria-pressed', 'false');
  });

  test('leads to another device only from the one that is shown', async () => {
    const user = userEvent.setup();
    const chosen = vi.fn<(value: string) => void>();
    const options = ['Desktop', 'Mobile'].map((label) => ({ value: label, label }));
    render(<Viewer comparison={shifted} device={{ value: 'Desktop', options, onChange: chosen }} />);
    await user.click(screen.getByRole('button', { name: 'Desktop' }));
    expect(chosen).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Mobile' }));
    expect(chosen).toHaveBeenCalledExactlyOnceWith('Mobile');
  });

  test('lists and walks the changes of one verdict alone', async () => {
    const user = userEvent.setup();
    const verdicts = ['good', 'unsure', 'alert'] as const;
    const many = Array.from({ length: 200 }, (_, i) => change(`c${i}`, i * 10, verdicts[(i + 1) % 3], `Change number ${i}`));
    render(<Viewer comparison={{ ...shifted, bands: [], changes: many }} />);
    expect(items()).toHaveLength(200);
    await user.click(within(screen.getByRole('group', { name: 'Filter changes by verdict' })).getByRole('button', { name: /Alert/ }));
    expect(items()).toHaveLength(67);
    await user.keyboard('p');
    expect(screen.getByRole('status')).toHaveTextContent('Change 67 of 67, Alert');
  });

  test('says that nothing changed, and has nothing to align then', () => {
    render(<Viewer comparison={{ ...shifted, after: shifted.before, bands: [], changes: [] }} />);
    expect(screen.getByText('No changes found.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next change' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Align rows' })).toBeNull();
  });

  test('has one picture and no views of two after the first visit', () => {
    render(<Viewer comparison={{ ...shifted, before: null, bands: [], changes: [] }} />);
    expect(screen.getByText('There is no picture from before.')).toBeVisible();
    expect(screen.getByRole('img', { name: 'The page after' })).toBeInTheDocument();
    expect(screen.queryAllByRole('radio')).toEqual([]);
  });

  test('says where the difference is that of the colours', async () => {
    const user = userEvent.setup();
    render(<Viewer comparison={shifted} />);
    await user.click(screen.getByRole('radio', { name: 'Difference' }));
    expect(screen.getByText(/No marks are stored/)).toBeVisible();
  });

  test('shows titles, reasons and notes as text', () => {
    const hostile = '<script>alert(1)</script>';
    const changes = [{ ...change('a', 0, 'alert', hostile), reason: `because ${hostile}` }];
    render(<Viewer comparison={{ ...shifted, changes, notes: [{ tone: 'alert', text: `cut off ${hostile}` }] }} />);
    expect(items()[0]).toHaveTextContent(`${hostile}`);
    expect(list()).toHaveTextContent(`because ${hostile}`);
    expect(screen.getByText(`cut off ${hostile}`)).toBeVisible();
    expect(document.querySelector('script')).toBeNull();
  });

  test('speaks German', async () => {
    const user = userEvent.setup();
    render(<Viewer comparison={shifted} messages={german} />);
    expect(screen.getByRole('radio', { name: german.modes.sides })).toBeChecked();
    await user.keyboard('n');
    expect(screen.getByRole('status')).toHaveTextContent(
      german.reached({ number: 1, count: 4, verdict: german.verdicts.good, title: '<b>The footer</b> & everything below moved up.' }),
    );
  });

  test('blinks by itself until it is paused', () => {
    vi.useFakeTimers();
    render(<Viewer comparison={shifted} />);
    act(() => screen.getByRole('radio', { name: 'Blink' }).click());
    const shown = () => document.querySelector('[data-shown]')?.getAttribute('data-shown');
    expect(shown()).toBe('after');
    act(() => vi.advanceTimersByTime(900));
    expect(shown()).toBe('before');
    act(() => screen.getByRole('button', { name: 'Pause' }).click());
    act(() => vi.advanceTimersByTime(5_000));
    expect(shown()).toBe('before');
  });

  test('does not blink by itself where motion is unwanted', async () => {
    media.add('(prefers-reduced-motion: reduce)');
    const user = userEvent.setup();
    render(<Viewer comparison={shifted} />);
    await user.keyboard('4');
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
    const shown = () => document.querySelector('[data-shown]')?.getAttribute('data-shown');
    expect(shown()).toBe('after');
    await user.keyboard('b');
    expect(shown()).toBe('before');
  });

  test('leaves keys to a field that something is typed into, and to shortcuts of the browser', async () => {
    const user = userEvent.setup();
    render(<Viewer comparison={shifted} toolbar={<input aria-label="Note" />} />);
    await user.type(screen.getByRole('textbox', { name: 'Note' }), 'n2');
    await user.tab();
    await user.keyboard('{Control>}n{/Control}');
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect(screen.getByRole('radio', { name: 'Side by side' })).toBeChecked();
  });
});
