import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../../server/node_modules/axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

interface Evaluates {
  evaluate<T>(script: string): Promise<T>;
}

type Scheme = 'light' | 'dark';

interface Shown extends Evaluates {
  emulateMedia(media: { colorScheme: Scheme }): Promise<void>;
  locator(selector: string): { waitFor(options: { state: 'attached' }): Promise<void> };
}

type Asked = { type: 'tag' | 'rule'; values: string[] };

/** A person in a dialog sees the page behind it through a veil. */
const PART = `document.querySelector('[aria-modal=true]') ?? document`;

/** The faults that axe finds in the page as it is now, with the shell around it, or in the dialog that is open. */
export async function axeFaults(page: Evaluates, asked: Asked = { type: 'tag', values: TAGS }): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(readFileSync(SOURCE, 'utf8'));
  // A colour that is still on its way to another is no colour of the page.
  await page.evaluate(`document.getAnimations().forEach((one) => {
    if (one.effect?.getTiming().iterations === Infinity) one.cancel();
    else one.finish();
  })`);
  const options = JSON.stringify({ runOnly: asked, resultTypes: ['violations'], iframes: false, preload: false });
  const { violations } = await page.evaluate<Found>(`axe.run(${PART}, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** The faults in both schemes. The dark one has the same elements, in other colours. */
export async function axeFaultsOfSchemes(page: Shown): Promise<string[]> {
  await showIn(page, 'light');
  const light = await axeFaults(page);
  await showIn(page, 'dark');
  const dark = await axeFaults(page, { type: 'rule', values: ['color-contrast'] });
  return [...light.map((fault) => `light: ${fault}`), ...dark.map((fault) => `dark: ${fault}`)];
}

/** The dashboard hears of the scheme a moment later; other pages of the server have it at once. */
async function showIn(page: Shown, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === 'dark' ? 'light' : 'dark';
  await page.locator(`html:not([data-mantine-color-scheme=${other}])`).waitFor({ state: 'attached' });
}
