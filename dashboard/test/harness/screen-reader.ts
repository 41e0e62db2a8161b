import assert from 'node:assert/strict';
import type { WatchedPage } from '../../../server/test/harness/browser.ts';

type Page = WatchedPage['page'];

/** A screen reader says the role alone when these have no name. The name of a frame is not in the tree of the page. */
const NAMED =
  /^(?:button|link|textbox|searchbox|combobox|checkbox|radio|switch|tab|menuitem|option|slider|spinbutton|progressbar|img|alertdialog|navigation|table|form|tablist|radiogroup|menu|listbox|toolbar|dialog)$/;
/** It says nothing of what is inside of a button, and a text that is written has headings of its own. */
const ATOMIC = /^(?:button|textbox|tab|option|menuitem)$/;
const LINE = /^\s*- (?:')?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/;

/** A page as a screen reader walks through it: the tree of roles, names and states, as text. */
export const readAloud = (page: Page): Promise<string> => page.locator('body').ariaSnapshot();

/** Faults of a reading: controls, tables and regions without a name, and headings out of their order. */
export function faultsOfReading(reading: string): string[] {
  const faults: string[] = [];
  let level = 0;
  let titles = 0;
  let atomicFrom = Number.POSITIVE_INFINITY;
  for (const line of reading.split('\n')) {
    const depth = line.search(/\S/);
    if (depth > atomicFrom) continue;
    const [, role = '', name = '', rest = ''] = LINE.exec(line) ?? [];
    atomicFrom = ATOMIC.test(role) ? depth : Number.POSITIVE_INFINITY;
    if (NAMED.test(role) && name.trim() === '') faults.push(`no name: ${line.trim()}`);
    if (role !== 'heading') continue;
    const own = Number(/\[level=(\d)\]/.exec(rest)?.[1]);
    if (own === 1) titles += 1;
    if (own > level + 1) faults.push(`a heading of level ${own} follows one of level ${level}: ${line.trim()}`);
    level = own;
  }
  // A dialog is read alone: the page behind it is hidden.
  if (titles !== 1 && !/^\s*- dialog /m.test(reading)) faults.push(`${titles} headings of level 1`);
  return faults;
}

/** Fails unless the page as it is now reads well, and has these sentences in this order. */
export async function readsWell(page: Page, ...sentences: readonly (string | RegExp)[]): Promise<void> {
  const reading = await readAloud(page);
  if (process.env['POSTHORN_READINGS'] !== undefined) console.log(`\n${page.url()}\n${reading}`);
  assert.deepEqual(faultsOfReading(reading), [], page.url());
  let from = 0;
  for (const sentence of sentences) {
    const rest = reading.slice(from);
    const at = typeof sentence === 'string' ? rest.indexOf(sentence) : rest.search(sentence);
    assert.ok(at >= 0, `${page.url()} does not read “${String(sentence)}” after character ${from} of\n${reading}`);
    from += at + 1;
  }
}
