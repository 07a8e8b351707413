import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

// A browser reads it in less time than the module, which has the same script with comments.
const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Looked {
  /** Only these rules; all if undefined. */
  rules?: string[] | undefined;
  /** Only what this selector finds; the whole page if undefined. */
  within?: string | undefined;
}

interface Finding {
  rule: string;
  impact: string | null | undefined;
  elements: string[];
}

/** The rules of axe whose findings can differ between a desk and a phone, or between light and dark. */
export const ofLookAndSize = ['aria-hidden-focus', 'color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** What axe finds in a page without frames. Its script is given to a document once: reading it takes longer than many a look. */
export async function findings(page: Page, { rules, within }: Looked = {}): Promise<Finding[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(script);
  }
  return page.evaluate(
    async ([context, runOnly]) => {
      const given = window as unknown as { axe: typeof axe };
      const { violations } = await given.axe.run(context ?? document, {
        resultTypes: ['violations'],
        ...(runOnly !== undefined && { runOnly: { type: 'rule', values: runOnly } }),
      });
      return violations.map(({ id, impact, nodes }) => ({ rule: id, impact, elements: nodes.map(({ html }) => html) }));
    },
    [within, rules] as const,
  );
}

/** The serious and critical findings, as a failed test shows them. */
export async function seriousFindings(page: Page, looked: Looked = {}): Promise<string[]> {
  const serious = (await findings(page, looked)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ rule, elements }) => `${rule}: ${elements.join(' ')}`);
}

/** Fails on serious and critical findings. */
export async function expectAccessible(page: Page, looked: Looked = {}): Promise<void> {
  expect(await seriousFindings(page, looked)).toEqual([]);
}
