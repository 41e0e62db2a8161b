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

/** The faults that axe finds in the page as it is now, without the shell around it. */
export async function axeFaults(page: Evaluates): Promise<string[]> {
  await page.evaluate(readFileSync(SOURCE, 'utf8'));
  // A colour that is still on its way to another is no colour of the page.
  await page.evaluate(`document.getAnimations().forEach((one) => {
    if (one.effect?.getTiming().iterations === Infinity) one.cancel();
    else one.finish();
  })`);
  const asked = JSON.stringify({
    runOnly: { type: 'tag', values: TAGS },
    resultTypes: ['violations'],
    iframes: false,
    preload: false,
  });
  const { violations } = await page.evaluate<Found>(`axe.run('main', ${asked})`);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}
