import type { SimulateAutomationRequest } from '../../../api/generated/types.gen.ts';
import { fromLocalInput } from '../../../lib/time.ts';

/** Times are those of the person's clock, as inputs write them. */
export interface SimulateValues extends Record<string, unknown> {
  email: string;
  at: string;
  payload: string;
  events: { at: string; name: string; payload: string }[];
}

/** The object that a text is; undefined when it is none. An empty text is an empty object. */
export function readPayload(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>) // an object that is no list
      : undefined;
  } catch {
    return undefined;
  }
}

/** The field of a request; nothing for an empty object. */
export const givenPayload = (text: string): { payload?: Record<string, unknown> } => {
  const payload = readPayload(text) ?? {};
  return Object.keys(payload).length === 0 ? {} : { payload };
};

/** The question of a form. Empty fields are left out: the run then begins now. */
export const bodyOf = ({ email, at, payload, events }: SimulateValues): SimulateAutomationRequest => ({
  email: email.trim(),
  ...(at === '' ? {} : { at: fromLocalInput(at) }),
  ...givenPayload(payload),
  ...(events.length === 0
    ? {}
    : {
        events: events.map((event) => ({
          at: event.at === '' ? new Date().toISOString() : fromLocalInput(event.at),
          name: event.name.trim(),
          ...givenPayload(event.payload),
        })),
      }),
});

export const NO_OBJECT = 'This is not an object in JSON, such as {"order_id": "42"}.';

/** The first field whose text is no object, with what to say there. */
export function unreadable({
  payload,
  events,
}: SimulateValues): { field: 'payload' | 'events'; words: string } | undefined {
  if (readPayload(payload) === undefined) return { field: 'payload', words: NO_OBJECT };
  const at = events.findIndex((event) => readPayload(event.payload) === undefined);
  return at === -1 ? undefined : { field: 'events', words: `Event ${at + 1}: ${NO_OBJECT}` };
}
