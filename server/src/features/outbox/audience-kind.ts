/**
 * Added to the kind of audience of a send with parts until all recipients are written. Processes of versions that know
 * no parts do not know such a kind, and leave these sends to others (decision 0185).
 */
const IN_PARTS = ' in parts';

export const kindToFreeze = (kind: string, hasParts: boolean): string => (hasParts ? kind + IN_PARTS : kind);

/** The kind by which the feature that keeps the audience is found. */
export const kindOfAudience = (kind: string): string =>
  kind.endsWith(IN_PARTS) ? kind.slice(0, -IN_PARTS.length) : kind;
