const OWN = /^https?:\/\/[^/?#]+(\/images\/[\w-]{22}(?:\/large)?)$/;

/**
 * The address at which this page shows a picture: one that this server keeps is shown from the page's own origin,
 * whatever public name the server has. The policy of the page allows no other.
 */
export const shownAddress = (src: string): string => OWN.exec(src)?.[1] ?? src;

/** A picture of a server that is not ours, by a whole address: one with a variable is known for each reader only. */
export const isOfAnotherServer = (src: string): boolean =>
  /^https?:\/\//i.test(src) && !OWN.test(src) && !src.includes('{{');

/** A person reads these in the place of such a picture. */
export const wordsForElsewhere = (src: string, alt: string): string =>
  `${alt === '' ? 'A picture' : alt} (of ${URL.parse(src)?.host ?? 'another server'})`;
