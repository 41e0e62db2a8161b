const SLUG_MAX = 63;

/** A slug out of a name: "Ångström & Söhne" is `angstrom-sohne`. Empty when nothing of it can stand in an address. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, '');
