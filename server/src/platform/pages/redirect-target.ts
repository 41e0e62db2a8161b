/**
 * Where a browser is sent after somebody's form: only to one of these origins, compared whole. Undefined
 * for anything else, which is then as if it had not been asked for: we lead nobody to where a stranger wants them.
 */
export function redirectTarget(origins: readonly string[], asked: string | undefined): string | undefined {
  if (asked === undefined || !URL.canParse(asked)) return undefined;
  const url = new URL(asked);
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isPlain && origins.includes(url.origin) ? url.href : undefined;
}
