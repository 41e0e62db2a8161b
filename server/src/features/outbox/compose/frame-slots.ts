import { escapeHtml } from '#platform/html/html.ts';
import type { Piece } from '#mail/message/open-body.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The places of a frame: what stands there is one of the recipient's variables. */
const SLOT = /\{\{ (unsubscribe_url|preferences_url|preheader) \}\}/;

/** A text of a frame, divided at its slots. */
export const slotPieces = (text: string, kind: 'html' | 'text'): Piece<Reading>[] =>
  text
    .split(SLOT)
    // Every second part is the name that was captured.
    .map((part, index) =>
      index % 2 === 0 ? part : { text: ({ variables }: Reading) => valueOf(variables, part, kind) },
    )
    .filter((piece) => piece !== '');

interface Reading {
  variables: Variables;
}

/** A text of a frame with the variables of one recipient. */
export const fillSlots = (text: string, variables: Variables, kind: 'html' | 'text'): string =>
  text.replace(new RegExp(SLOT, 'g'), (_, name: string) => valueOf(variables, name, kind));

function valueOf(variables: Variables, name: string, kind: 'html' | 'text'): string {
  const value = variables[name];
  // An email without a way out does not leave.
  if (typeof value !== 'string') throw new Error(`a recipient came without ${name}`);
  return kind === 'html' ? escapeHtml(value) : value;
}
