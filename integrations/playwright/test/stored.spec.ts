import { writeFile } from 'node:fs/promises';

import { test } from '@playwright/test';

import { factsType, type Facts } from '../dist/facts.js';

// One white pixel.
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==', 'base64');

// Attaches what a screenshot leaves behind for the reporter.
for (const name of ['footer', 'header']) {
  test(`a stored ${name}`, async ({}, info) => {
    const path = info.outputPath('stored.png');
    await writeFile(path, picture);
    await info.attach(name, { path, contentType: 'image/png' });
    const facts: Facts = { name, device: 'desktop' };
    await info.attach(`${name} (facts)`, { body: JSON.stringify(facts), contentType: factsType });
  });
}
