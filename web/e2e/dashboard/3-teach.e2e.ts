import { expect, expectAccessible, go, run, signInAt, test } from './person';

test('a rule is made of a change, with what it would have silenced shown first; it can be switched off and deleted', async ({ page }) => {
  await signInAt(page, `/runs/${run}`);
  const price = page.getByRole('list', { name: 'Changes of this run' }).getByRole('article').filter({ hasText: '91.00' });
  await price.getByRole('link', { name: 'Open a page' }).click();
  await expect(page).toHaveURL(/\/comparisons\//);
  // The change is selected, as one came from it.
  await page.getByRole('button', { name: 'Create a rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ignore this change from now on' });
  await expect(dialog).toContainText(/of \d+ alarms in \d+ comparisons/);
  await dialog.getByLabel('Where').selectOption({ label: 'On all pages of the website or group' });
  await expect(dialog).toContainText(/The rule would have silenced/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByText('The rule applies starting with the next run')).toBeVisible();

  await expect(dialog).toHaveCount(0); // it has the keys for itself
  await go(page, 't', '/rules');
  await expect(page.getByText('never matched')).toBeVisible();
  await expectAccessible(page);
  const active = page.getByRole('switch', { name: 'Active' });
  await active.click();
  await expect(active).not.toBeChecked();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No rules yet')).toBeVisible();
});
