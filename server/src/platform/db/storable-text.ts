/**
 * Text as PostgreSQL keeps it, in a text column and in JSON: it has no NUL and no half of a surrogate pair. Cut a text
 * before, not after: a cut may go through a pair.
 */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '');
