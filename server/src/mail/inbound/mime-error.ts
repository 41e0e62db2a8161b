/** Why the parts of a message cannot be read, as a sentence for the one who receives it. */
export class MimeError extends Error {
  override readonly name = 'MimeError';
}
