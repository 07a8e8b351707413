import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { given } from './person';

/** Gives a page's browser an authenticator that has verified its user. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The link in the mail to somebody, from the folder into which the service writes its mails. */
export async function invitationTo(email: string): Promise<string> {
  const folder = given('MAILS');
  for (const file of await readdir(folder)) {
    const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=');
    const link = /http:\/\/\S+\/people\/join#[A-Za-z0-9]{40}/.exec(mail)?.[0];
    if (mail.includes(`To: <${email}>`) && link !== undefined) {
      return link;
    }
  }
  throw new Error(`No mail to ${email} has a link.`);
}
