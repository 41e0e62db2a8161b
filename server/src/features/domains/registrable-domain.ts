import { libraryOnFirstUse } from '#platform/library.ts';

/** The list of public suffixes takes 2 MB, and few processes are asked about a domain. */
const publicSuffixes = libraryOnFirstUse<typeof import('tldts')>('tldts');

/** The domain below a public suffix that this one is, or is below; null: it is a public suffix itself. */
export const registrableDomain = (domain: string): string | null =>
  publicSuffixes().parse(domain, { allowPrivateDomains: true }).domain;

/** Whether this is a public suffix without a dot, such as `com`. */
export function isTopLevel(name: string): boolean {
  const { publicSuffix, isIcann } = publicSuffixes().parse(name);
  return publicSuffix === name && isIcann === true;
}
