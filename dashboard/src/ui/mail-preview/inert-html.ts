/**
 * Html of mail for the frame that shows it (`/frames/mail`): nothing in it leads anywhere. The frame has a policy of
 * its own, which runs nothing of the mail and loads nothing but pictures, when they are wanted. The html is read by a
 * library and not by the browser, whose documents are under the policy of this page.
 */
import { type DefaultTreeAdapterMap, html as names, parse, parseFragment, serialize } from 'parse5';
import { hasDarkForm, inScheme } from '../../lib/mail/mail-html.ts';

type Element = DefaultTreeAdapterMap['element'];
type Parent = DefaultTreeAdapterMap['parentNode'];

/** The frame is as high as its content: a body that is as high as the frame would make both grow without end. */
const PLAIN = 'html{color-scheme:light;background:#fff}body{min-height:0!important}a{cursor:default}';
/** Programs that know no dark form of a mail turn its colours round and leave pictures as they are. */
const DARK = 'html{filter:invert(1) hue-rotate(180deg)}img{filter:invert(1) hue-rotate(180deg)}';

/** They load, lead or hide something by themselves. */
// biome-ignore format: a list of words
const DROPPED = new Set([
  'script', 'base', 'link', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'fencedframe',
  'template',
]);
const DROPPED_ATTRIBUTE = /^on|^(?:ping|target|formaction|action|srcdoc|autofocus)$/i;

/** The text beside links, by the number in their attribute `data-posthorn-link`. */
export type LinkBadges = ReadonlyMap<string, string>;

export function inertHtml(html: string, { dark, badges }: { dark: boolean; badges?: LinkBadges | undefined }): string {
  const page = parse(inScheme(html, { dark }), { scriptingEnabled: false });
  const turned = dark && !hasDarkForm(html) ? DARK : '';
  const open: Parent[] = [page];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    parent.childNodes = parent.childNodes.filter((node) => !('tagName' in node) || !isDropped(node));
    for (const node of parent.childNodes) {
      if (!('tagName' in node)) continue;
      deaden(node);
      const badge = badges?.get(node.attrs.find(({ name }) => name === 'data-posthorn-link')?.value ?? '');
      if (badge !== undefined) node.childNodes.push(...parseFragment(badgeHtml(badge)).childNodes);
      if (node.tagName === 'head')
        node.childNodes.push(...parseFragment(`<style>${PLAIN}${turned}</style>`).childNodes);
      open.push(node);
    }
  }
  return serialize(page);
}

/** Takes no room, so that the mail looks as it does without. The styles of the mail must not reach it. */
const badgeHtml = (text: string): string =>
  `<span style="all:initial!important;position:relative!important;display:inline-block!important;width:0!important;height:0!important;vertical-align:top!important"><span data-badge style="all:initial!important;position:absolute!important;z-index:2147483647!important;left:-4px!important;top:-9px!important;padding:0 6px!important;border-radius:9px!important;background:#2f51cb!important;color:#ffffff!important;font:600 11px/18px system-ui,sans-serif!important;white-space:nowrap!important;box-shadow:0 0 0 2px #ffffff!important">${escapeText(text)}</span></span>`;

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const isDropped = ({ tagName, attrs }: Element): boolean =>
  DROPPED.has(tagName) || (tagName === 'meta' && attrs.some(({ name }) => name === 'http-equiv'));

/** The address of a link stays, to be read where the pointer rests. */
function deaden(element: Element): void {
  const address = element.attrs.find(({ name }) => name === 'href');
  element.attrs = element.attrs.filter(
    ({ name }) => !DROPPED_ATTRIBUTE.test(name) && !(name === 'href' && element.tagName !== 'image'),
  );
  if (address === undefined || element.tagName !== 'a' || element.namespaceURI !== names.NS.HTML) return;
  const style = element.attrs.find(({ name }) => name === 'style');
  // Without an address it is no link to the browser, which gives it no colour.
  const look = /(?:^|;)\s*color\s*:/i.test(style?.value ?? '') ? '' : 'color:#0000ee;text-decoration:underline;';
  const kept = element.attrs.filter(({ name }) => !['style', 'title', 'role'].includes(name));
  element.attrs = [
    ...kept,
    { name: 'title', value: address.value },
    { name: 'role', value: 'link' },
    { name: 'aria-disabled', value: 'true' },
    { name: 'style', value: look + (style?.value ?? '') },
  ];
}
