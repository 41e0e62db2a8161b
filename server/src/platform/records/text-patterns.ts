/**
 * Patterns of texts, to spread into a schema. `x-says` is the rest of the sentence about a text that does not match: a
 * regular expression is no message.
 */

/** One line, which may be empty. */
export const LINE = {
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  'x-says': 'must not have control characters or line breaks',
} as const;

/** One line that people see: at least one character is not white space. */
export const SHOWN_LINE = {
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u001f\\u007f\\s][^\\u0000-\\u001f\\u007f]*$',
  'x-says': 'must be one line that is not blank, without control characters',
} as const;

/** Text with line breaks and tabs. */
export const LINES = {
  pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  'x-says': 'must not have control characters',
} as const;
