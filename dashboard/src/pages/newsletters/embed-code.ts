export type EmbedLayout = 'full' | 'line';
export type EmbedTheme = 'light' | 'dark' | 'auto';

/** Pixels that fit a phone; the script gives the frame its exact height. */
export const HEIGHTS: Readonly<Record<EmbedLayout, number>> = { full: 540, line: 190 };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Form {
  name: string;
  embedUrl: string;
  layout: EmbedLayout;
  theme: EmbedTheme;
}

/** The code for a site: a frame, and the script that sizes it. */
export function embedCode({ name, embedUrl, layout, theme }: Form): string {
  const query = new URLSearchParams({
    ...(layout === 'full' ? {} : { layout }),
    ...(theme === 'light' ? {} : { theme }),
  }).toString();
  const address = query === '' ? embedUrl : `${embedUrl}?${query}`;
  const script = embedUrl.replace(/\/[^/]+\/embed$/, '/embed.js');
  return [
    `<iframe src="${escaped(address)}" title="${escaped(`Subscribe to ${name}`)}"`,
    `        style="width: 100%; height: ${HEIGHTS[layout]}px; border: 0"></iframe>`,
    `<script src="${escaped(script)}" async></script>`,
  ].join('\n');
}
