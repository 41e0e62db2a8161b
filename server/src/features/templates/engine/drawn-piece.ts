/** A piece of a rendered template: text of its author, or an output. */
export type DrawnPiece = string | DrawnOutput;

/** An output that does not end with `| raw`. */
export interface DrawnOutput {
  readonly value: string;
  /** As it stands in the result: escaped in html. */
  readonly text: string;
}

export const textOfPieces = (pieces: readonly DrawnPiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
