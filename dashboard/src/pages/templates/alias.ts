const ALIAS_MAX = 100;

/** An alias out of a name: "Password — reset" is `password-reset`. Empty when nothing of it can stand in one. */
export const aliasOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, ALIAS_MAX)
    .replaceAll(/^-+|-+$/g, '');
