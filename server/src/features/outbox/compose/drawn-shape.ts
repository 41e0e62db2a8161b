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

/** `isFixed`: the author's texts are the same for everybody. Undefined: a value may change what is around it. */
export function shapeOf({ html, text, slots }: DrawnTexts, isFixed: boolean): DrawnShape | undefined {
  const values: string[] = [];
  let key = '';
  for (const name of SLOTS) {
    const value = slots[name] ?? '';
    if (value !== '') values.push(value);
    key += value === '' ? '-' : '+';
  }
  for (const pieces of isFixed ? [] : [html, text ?? []]) {
    for (const piece of pieces) {
      if (typeof piece === 'string') key += piece;
      else if (piece.value !== '') {
        values.push(piece.value);
        key += VALUE;
      }
    }
    key += END;
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
  const filled = (pieces: readonly DrawnPiece[], as: (value: string) => string): DrawnPiece[] =>
    pieces.map((piece) => {
      if (typeof piece === 'string' || piece.value === '') return piece;
      const value = take();
      return { value, text: as(value) };
    });
  return {
    subject,
    slots: filledSlots,
    html: filled(html, escapeHtml),
    text: text === null ? null : filled(text, (value) => value),
  };
}
