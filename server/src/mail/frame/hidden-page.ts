/** Styles that hide a whole message, and with it what we add to it. */
import { plainCss } from './html-hazards.ts';
import type { Element } from './read-tree.ts';
import { RefusedHtml } from './refused-html.ts';

const HIDING =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?(?:%|\s|;|!|$)|content-visibility\s*:\s*hidden|(?:max-)?(?:height|width)\s*:\s*0(?:\.0*)?(?:[a-z%]*)(?:\s|;|!|$)|(?:clip(?:-path)?|transform|scale|translate|filter|mask(?:-image)?|animation(?:-name)?)\s*:\s*(?!none|initial|auto)|zoom\s*:\s*0|position\s*:\s*(?:fixed|absolute)|mix-blend-mode\s*:|display\s*:\s*contents)/i;
/** Nobody nests styles deeper; beyond it looking for what they mean takes time by the square. */
const NESTED_MAX = 50;
/** Further out of the page than any layout needs. */
const PULLED_AWAY = /margin[a-z-]*\s*:[^;]*-\s*\d{4,}/i;

/** Throws when a style sheet, an attribute or a style of <html> or <body> hides everything. */
export function refuseHiddenPage(roots: readonly (Element | undefined)[], styles: readonly string[]): void {
  const sheets = styles.map(plainCss);
  if (sheets.some((css) => PULLED_AWAY.test(css))) throw refused();
  for (const element of roots) {
    if (element === undefined) continue;
    const attribute = (name: string) => element.attrs.find((attr) => attr.name === name)?.value;
    if (attribute('hidden') !== undefined || attribute('popover') !== undefined) throw refused();
    if (isHiding(plainCss(attribute('style') ?? ''))) throw refused();
    const classes = (attribute('class') ?? '').split(/\s+/);
    const id = attribute('id') ?? '';
    if (
      sheets.some((css) =>
        rulesOf(css).some(
          ({ selectors, block }) =>
            isHiding(block) && selectors.some((one) => matches(one, element.tagName, classes, id)),
        ),
      )
    ) {
      throw refused();
    }
  }
}

const isHiding = (declarations: string): boolean => HIDING.test(declarations) || PULLED_AWAY.test(declarations);

/** The declarations of a sheet with the selectors they are for; conditions around them (@media) are taken to hold. */
function rulesOf(css: string): { selectors: string[]; block: string }[] {
  const rules: { selectors: string[]; block: string }[] = [];
  const open: string[] = [];
  const add = (block: string): void => {
    if (!block.includes(':')) return;
    const selector = open.findLast((prelude) => !prelude.startsWith('@'));
    if (selector !== undefined) rules.push({ selectors: selector.split(','), block });
  };
  for (const [, text = '', sign = ''] of css.matchAll(/([^{}]*)([{}]|$)/g)) {
    if (sign !== '{') {
      add(text);
      open.pop();
      continue;
    }
    const from = text.lastIndexOf(';') + 1;
    add(text.slice(0, from));
    open.push(text.slice(from).trim());
    if (open.length > NESTED_MAX) throw new RefusedHtml(`Its styles are nested more than ${NESTED_MAX} deep.`);
  }
  return rules;
}

/** Whether a selector may mean the element: attributes, pseudo-classes and what is to the left are taken to hold. */
function matches(selector: string, tag: string, classes: readonly string[], id: string): boolean {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  if (last === '') return false;
  // Nested: whatever it is in.
  if (last.includes('&')) return true;
  if (/::?(?:before|after|first-line|first-letter|selection|placeholder)/i.test(last)) return false;
  const compound = last.replace(/\[[^\]]*\]?/g, '').replace(/:{1,2}[\w-]+(?:\([^)]*\)?)?/g, '');
  const [name = ''] = /^[^.#]*/.exec(compound) ?? [];
  if (name !== '' && name !== '*' && name.toLowerCase() !== tag) return false;
  const isAnything = name === '' && compound === '';
  if (isAnything && !/:root/i.test(last)) return false;
  if (isAnything && tag !== 'html') return false;
  const wanted = [...compound.matchAll(/([.#])([^.#]+)/g)];
  return wanted.every(([, kind, word = '']) => (kind === '.' ? classes.includes(word) : id === word));
}

const refused = (): RefusedHtml => new RefusedHtml('Its styles hide or move the whole message.');
