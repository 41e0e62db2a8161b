import { type RawBuilder, sql } from 'kysely';

/** A pattern for LIKE that finds the text anywhere, and nothing in it as a wildcard. */
export const likeAnywhere = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** Characters of a name or a subject in which a text is looked for. */
const LOOKED_IN = 300;
/** Characters of the text that are looked for. */
const LOOKED_FOR = 100;

/**
 * True when the text stands in the column, whatever the case. The first 300 characters of the column are looked at, and
 * the first 100 of the text: the work grows with the product of both lengths where the same letters repeat, and a
 * caller chooses both.
 */
export const hasText = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(lower(left(${column}, ${LOOKED_IN})), lower(${Array.from(text).slice(0, LOOKED_FOR).join('')})) > 0`;
