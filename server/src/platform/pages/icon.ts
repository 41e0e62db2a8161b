import { html } from '../html/html.ts';
import { Answer } from '../http/route.ts';
import { DEFAULT_ACCENT, LIGHT, paletteOf } from './accent.ts';

type Brand = { name: string; accentColor: string | null } | null;

/** The icon of a page in the tab: the first letter of its list on its colour. It is in the page: nothing is loaded. */
export const iconAddress = (brand: Brand): string => `data:image/svg+xml,${encodeURIComponent(iconOf(brand))}`;

/** Our own icon, for the browser that asks for one beside a page that names none: a feed, a picture, a plain answer. */
export const ownIcon = (): Answer =>
  new Answer(iconOf(null), {
    headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'public, max-age=86400' },
  });

function iconOf(brand: Brand): string {
  const { fill, onFill } = paletteOf(brand?.accentColor ?? DEFAULT_ACCENT, LIGHT);
  const [letter = 'P'] = (brand?.name.match(/[\p{L}\p{N}]/u)?.[0] ?? 'P').toUpperCase();
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${fill}"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="${onFill}">${letter}</text></svg>`
    .text;
}
