import type { DrawnPiece } from '#features/templates';
import { isPlainValue } from '#mail/merge/plain-value.ts';
import { escapeHtml } from '#platform/html/html.ts';
import { randomBytes } from 'node:crypto';
import { SLOTS } from './frame-slots.ts';
import type { DrawnTexts } from './render-personal.ts';

/** Texts of one recipient: all that others may have as well, and the values that stand in it. */
export interface DrawnShape {
  /** The same for all whose texts differ in nothing but these values. An empty value is none. */
  key: string;
  values: string[];
}

/** Stands for a value in a key. Nobody can guess it, so no text of an author or a recipient looks like it. */
const VALUE = `\0${randomBytes(12).toString('base64url')}\0`;
const END = `\0${randomBytes(12).toString('base64url')}\0`;

type AsText = (value: string) => string;
const asItIs: AsText = (value) => value;

/** The value of a piece, as we write it; null: the piece is text, as is a value that is escaped otherwise. */
const valueIn = (piece: DrawnPiece, as: AsText): string | null =>
  typeof piece !== 'string' && piece.value !== '' && piece.text === as(piece.value) ? piece.value : null;

/** `isFixed`: the author's texts are the same for everybody. Undefined: a value may change what is around it. */
export function shapeOf({ html, text, slots }: DrawnTexts, isFixed: boolean): DrawnShape | undefined {
  const values: string[] = [];
  let key = '';
  for (const name of SLOTS) {
    const value = slots[name] ?? '';
    if (value !== '') values.push(value);
    key += value === '' ? '-' : '+';
  }
  const add = (pieces: readonly DrawnPiece[], as: AsText): void => {
    for (const piece of pieces) {
      const value = valueIn(piece, as);
      if (value !== null) values.push(value);
      key += value !== null ? VALUE : typeof piece === 'string' ? piece : piece.text;
    }
    key += END;
  };
  if (!isFixed) {
    add(html, escapeHtml);
    add(text ?? [], asItIs);
  }
  return values.every(isPlainValue) ? { key, values } : undefined;
}

/** The texts with other values in the places of theirs. */
export function withValues({ subject, html, text, slots }: DrawnTexts, values: readonly string[]): DrawnTexts {
  let next = 0;
  const take = (): string => values[next++] ?? '';
  const filledSlots = Object.fromEntries(
    SLOTS.flatMap((name) => (slots[name] === undefined ? [] : [[name, slots[name] === '' ? '' : take()]])),
  );
  const filled = (pieces: readonly DrawnPiece[], as: AsText): DrawnPiece[] =>
    pieces.map((piece) => {
      if (valueIn(piece, as) === null) return piece;
      const value = take();
      return { value, text: as(value) };
    });
  return {
    subject,
    slots: filledSlots,
    html: filled(html, escapeHtml),
    text: text === null ? null : filled(text, asItIs),
  };
}
