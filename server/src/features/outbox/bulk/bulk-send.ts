import type { ComposedContent } from '../accept/accepted-send.ts';
import type { PersonalContent } from '../compose/personal-content.ts';
import type { AudienceKey } from './audience.ts';
import type { NewPart } from './parts.ts';

/** The record that a bulk send was made for, which also says its source. */
export type BulkOrigin =
  | { source: 'issue'; newsletterId: string; issueId: string }
  | { source: 'broadcast'; broadcastId: string; templateId: string | null; newsletterId?: string | null };

export interface NewBulkSend {
  workspaceId: string;
  origin: BulkOrigin;
  audience: Pick<AudienceKey, 'kind' | 'audienceId'>;
  content: ComposedContent;
  personal: PersonalContent;
  /** The links whose clicks are counted, in order: `listLinks` of `mail/tracking`. null: clicks are not tracked. */
  links: readonly string[] | null;
  /** Test keys: kept, never sent. */
  sandbox: boolean;
  /** The request that let it go: each of its emails names it. */
  requestId: string | null;
  /** The times from which parts of it may leave, in order. Left out: all of it may leave at once. */
  parts?: readonly NewPart[];
}

/** Which send is meant; every statement on it names both. */
export interface SendKey {
  workspaceId: string;
  sendId: string;
}

/**
 * The states of a bulk send and the moves between them, as data: docs/state-machines.md is drawn from this table and a
 * test compares it with the column's check. A pause is not a state: it stops any of them and is taken back.
 */
export const BULK_MOVES = {
  freezing: { 'every recipient is written': 'releasing', cancelled: 'cancelling' },
  releasing: { 'nothing is pending any more': 'released', cancelled: 'cancelling' },
  released: {
    'refused ones are tried again, or a pause had put some back': 'releasing',
    cancelled: 'cancelling',
  },
  cancelling: { 'what was pending is settled': 'cancelled' },
  cancelled: {},
} as const satisfies Record<string, Record<string, string>>;

export type BulkState = keyof typeof BULK_MOVES;

export const BULK_STATES = Object.keys(BULK_MOVES) as BulkState[]; // the keys are exactly the union
