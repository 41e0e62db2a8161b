/**
 * A value that takes part in no rule for what is around it: it has text at both ends, single spaces within, and no
 * control characters. White space, line breaks and NULs mean something to a parser, depending on where they stand.
 * Longer ones are nobody's name or link.
 */
const CHARS_MAX = 2_000;
// A zero-width space is white space to the converter of html to text. \p{Cs} is half a pair.
const PLAIN = /^[^\s\p{Cc}\p{Cs}\u200b]+(?: [^\s\p{Cc}\p{Cs}\u200b]+)*$/u;

export const isPlainValue = (value: string): boolean => value.length <= CHARS_MAX && PLAIN.test(value);
