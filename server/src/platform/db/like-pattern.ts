/** A pattern for LIKE that finds the text anywhere, and nothing in it as a wildcard. */
export const likeAnywhere = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
