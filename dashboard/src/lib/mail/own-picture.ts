const OWN = /^https?:\/\/[^/?#]+(\/images\/[\w-]{22}(?:\/large)?)$/;

/**
 * The address at which this page shows a picture: one that this server keeps is shown from the page's own origin,
 * whatever public name the server has. The policy of the page allows no other.
 */
export const shownAddress = (src: string): string => OWN.exec(src)?.[1] ?? src;
