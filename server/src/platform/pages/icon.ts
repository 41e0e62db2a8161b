import { html } from '../html/html.ts';
import { DEFAULT_ACCENT, LIGHT, paletteOf } from './accent.ts';

/** The icon of a page in the tab: the first letter of its list on its colour. It is in the page: nothing is loaded. */
export function iconAddress(brand: { name: string; accentColor: string | null } | null): string {
  const { fill, onFill } = paletteOf(brand?.accentColor ?? DEFAULT_ACCENT, LIGHT);
  const [letter = 'P'] = (brand?.name.match(/[\p{L}\p{N}]/u)?.[0] ?? 'P').toUpperCase();
  const icon = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${fill}"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="${onFill}">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(icon.text)}`;
}
