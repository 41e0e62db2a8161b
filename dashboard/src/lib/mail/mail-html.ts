const DARK_QUERY = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi;
const LIGHT_QUERY = /\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi;
const ALWAYS = '(min-width: 0px)';
const NEVER = '(max-width: 0px)';

export const hasDarkForm = (html: string): boolean => html.search(DARK_QUERY) !== -1;

/**
 * Answers questions of a mail after the colour scheme in its text: a frame would take the answer from the computer,
 * and a person wants to see both.
 */
export const inScheme = (html: string, { dark }: { dark: boolean }): string =>
  html.replace(DARK_QUERY, dark ? ALWAYS : NEVER).replace(LIGHT_QUERY, dark ? NEVER : ALWAYS);

/** Puts pictures of the message in the place of their `cid:` addresses. */
export function withPictures(html: string, pictures: ReadonlyMap<string, string>): string {
  return html.replace(/\bcid:([^"'\s)>]{1,250})/gi, (whole, id: string) => pictures.get(id) ?? whole);
}
