import { announcement } from '#platform/announcements.ts';

/** A received message that was read. */
export interface InboundNews {
  workspaceId: string;
  id: string;
  /** The identity of the address of its author; null: it has none that can be read. */
  from: string | null;
  to: readonly string[];
  subject: string | null;
  /** Whether a machine wrote it: an absence, a report, a list. */
  isAutomatic: boolean;
  /** The email of ours that it answers. */
  answersEmailId: string | null;
}

/** A message has arrived and was read, in the transaction that stores what it says. */
export const inboundReceived = announcement<InboundNews>('inbound.received');
