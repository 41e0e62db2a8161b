import { readEventType } from '../webhook-input.ts';

/** The type that a list is limited to; null: none. A mistyped one would find nothing without a word, so it is 400. */
export const askedType = ({ event_type: type }: { event_type?: string }): string | null =>
  type === undefined ? null : readEventType('event_type', type);
