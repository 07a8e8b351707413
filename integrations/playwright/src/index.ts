import { writeFile } from 'node:fs/promises';

import { test, type Locator, type Page, type PageScreenshotOptions, type TestInfo } from '@playwright/test';

import { listElements, settle, type Part } from './elements.js';
import { factsType, type Box, type Element, type Facts } from './facts.js';

/** How a screenshot is taken. */
export interface AfterimageOptions {
  /** The whole page, not only what the window shows; true by default. A locator is always taken alone. */
  fullPage?: boolean;
  /** Elements that are covered, since they differ at each visit. They are not listed either. */
  mask?: Locator[];
  maskColor?: string;
  /** A part of the page, in CSS pixels. */
  clip?: Box;
  /** CSS that applies while the screenshot is taken. */
  style?: string;
  /** What it was taken on; by default mobile where the project emulates a phone (isMobile), else desktop. */
  device?: 'desktop' | 'mobile';
  /** Sends the elements as well, by which changes are told in words; true by default. */
  elements?: boolean;
  /** Time in milliseconds in which the page has to settle; 10 seconds by default. */
  timeout?: number;
}

/**
 * Takes a screenshot of a page, or of what a locator finds, once two in a row are equal. The reporter sends it under this name, such
 * as "checkout/step 2", once the test has passed.
 */
export async function afterimage(of: Page | Locator, name: string, options: AfterimageOptions = {}): Promise<void> {
  await test.step(`afterimage ${name}`, async () => {
    const info = test.info();
    const page = 'context' in of ? of : of.page();
    const timeout = options.timeout ?? 10_000;
    await page.evaluate(settle, timeout / 2);
    const picture = await atRest(of, page, name, options, timeout);
    const facts: Facts = { name, device: options.device ?? (info.project.use.isMobile ? 'mobile' : 'desktop') };
    if (options.elements ?? true) {
      facts.elements = await elementsOf(of, page, options);
    }
    await attach(info, picture, facts);
  });
}

/** Screenshots are taken until two in a row are equal. */
async function atRest(
  of: Page | Locator, page: Page, name: string, options: AfterimageOptions, timeout: number,
): Promise<Buffer> {
  const { mask, maskColor, clip, style } = options;
  const how: PageScreenshotOptions = { animations: 'disabled', caret: 'hide', scale: 'css', type: 'png' };
  Object.assign(how, mask && { mask }, maskColor && { maskColor }, style && { style });
  if ('context' in of) {
    Object.assign(how, clip ? { clip, fullPage: true } : { fullPage: options.fullPage ?? true });
  }
  const end = Date.now() + timeout;
  let last = await of.screenshot(how);
  for (const pause of pauses()) {
    const next = await of.screenshot(how);
    if (next.equals(last)) {
      return next;
    }
    if (Date.now() > end) {
      break;
    }
    last = next;
    await page.waitForTimeout(pause);
  }
  throw new Error(
    `The screenshot “${name}” did not settle within ${timeout} ms: consecutive screenshots differ. Wait for the page first, ` +
      'cover what moves (mask), or allow more time (timeout).',
  );
}

/** Pauses between screenshots, in milliseconds. */
function* pauses(): Generator<number> {
  yield* [50, 100, 250];
  for (;;) {
    yield 500;
  }
}

async function elementsOf(of: Page | Locator, page: Page, options: AfterimageOptions): Promise<Element[]> {
  const masks: Box[] = [];
  for (const locator of options.mask ?? []) {
    masks.push(...(await locator.evaluateAll(boxesInDocument)));
  }
  const part: Part = { box: options.clip ?? (await page.evaluate(shown, options.fullPage ?? true)), masks };
  if (!('context' in of)) {
    const [box] = await of.evaluateAll(boxesInDocument);
    if (box === undefined) {
      return [];
    }
    part.box = box;
  }
  return page.evaluate(listElements, part);
}

/** The boxes of elements in CSS pixels of the document. It runs in the page. */
function boxesInDocument(elements: (HTMLElement | SVGElement)[]): Box[] {
  return elements.map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const x = Math.floor(left + scrollX);
    const y = Math.floor(top + scrollY);
    return { x, y, width: Math.ceil(right + scrollX) - x, height: Math.ceil(bottom + scrollY) - y };
  });
}

/** The part of the document that a screenshot shows. It runs in the page. */
function shown(fullPage: boolean): Box {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return fullPage
    ? { x: 0, y: 0, width: Math.max(scrollWidth, innerWidth), height: Math.max(scrollHeight, innerHeight) }
    : { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
}

/** Attaches the picture, and after it what is known of it: the reporter reads the two as a pair. */
async function attach(info: TestInfo, picture: Buffer, facts: Facts): Promise<void> {
  const path = info.outputPath(`afterimage-${info.attachments.length}.png`);
  await writeFile(path, picture);
  await info.attach(facts.name, { path, contentType: 'image/png' });
  await info.attach(`${facts.name} (facts)`, { body: JSON.stringify(facts), contentType: factsType });
}
