import { expect, expectAccessible, given, hostile, signInAt, test } from './account';

test('a webhook is added, tried, corrected and deleted; its log tells each attempt', async ({ page }) => {
  await signInAt(page, '/settings/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByLabel('URL')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('URL').fill(`${given('RECEIVER')}/?refuse&${encodeURIComponent(hostile)}`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('link', { name: /refuse/ }).click();

  // The receiver refuses; what it answers is shown as text.
  await page.getByRole('button', { name: 'Send test request' }).click();
  const first = page.getByRole('row', { name: /Test request/ });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(first.getByRole('cell').nth(1)).toHaveText('1', { timeout: 2_000 }); // attempt
  }).toPass();
  await first.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(1);
  const attempts = page.getByRole('dialog', { name: 'Test request', exact: true });
  await expect(attempts).toContainText('410');
  await expect(attempts).toContainText('<script>');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // Corrected, the same delivery arrives.
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await edit.getByLabel('URL').fill(`${given('RECEIVER')}/takes`);
  await edit.getByLabel('Run finished').check();
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await expect(page.getByRole('heading', { name: /takes/ })).toBeVisible();
  await page.getByRole('button', { name: 'Send test request' }).click();
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('row', { name: /Test request/ }).first()).toContainText('Delivered', { timeout: 2_000 });
  }).toPass();
  await page
    .getByRole('row', { name: /Delivered/ })
    .getByRole('button', { name: 'Redeliver' })
    .click();
  await expect(page.getByText('The event is being redelivered')).toBeVisible();
  await page.getByLabel('State').selectOption('Delivered');
  await expect(page).toHaveURL(/state=DELIVERED/);
  await expectAccessible(page);
});
