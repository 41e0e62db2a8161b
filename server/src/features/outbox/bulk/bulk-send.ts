import type { RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { AcceptedContent } from '../accepted-send.ts';

/** What makes a bulk send each recipient's own, beside its content; stored with the content. */
export interface PersonalContent {
  /** Subject, html and text are Liquid templates. */
  liquid: boolean;
  /** Fields of the message that all recipients share and that no customer writes, such as List-Id. */
  headers: { name: string; value: string }[];
}

export interface NewBulkSend {
  workspaceId: string;
  source: 'newsletter';
  newsletterId: string;
  issueId: string;
  content: AcceptedContent;
  personal: PersonalContent;
  /** Test keys: kept, never sent. */
  sandbox: boolean;
}

/** The statistics of a bulk send: total = pending + sent + failed at every moment. */
export interface SendCounts {
  total: number;
  /** waiting + queued + sending + unconfirmed */
  pending: number;
  waiting: number;
  queued: number;
  sending: number;
  unconfirmed: number;
  sent: number;
  /** refused + suppressed + cancelled */
  failed: number;
  refused: number;
  suppressed: number;
  cancelled: number;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
  openedMachine: number;
  clickedMachine: number;
  unsubscribed: number;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

interface SendKey {
  workspaceId: string;
  sendId: string;
}

/** Stores the content and an empty bulk send that is being frozen; returns its id. In the caller's transaction. */
export async function openBulkSend(_tx: Db, _send: NewBulkSend): Promise<string> {
  throw new Error('not built yet');
}

/**
 * Freezes a page of recipients: one pending email each, unique per address, suppressed ones settled at once.
 * `page` selects recipient, recipient_name, subscriber_id in the order of the cursor. Returns how many rows the page had
 * and the cursor after it.
 */
export async function freezeRecipients(
  _tx: Db,
  _key: SendKey,
  _page: RawBuilder<unknown>,
): Promise<{ rows: number; cursor: string | null }> {
  throw new Error('not built yet');
}

/** Stops the release for good and settles what is pending: `alreadyQueued` emails, exactly, will still be handed over. */
export async function cancelBulkSend(_tx: Db, _key: SendKey): Promise<{ alreadyQueued: number }> {
  throw new Error('not built yet');
}

/** The statistics of these sends; a send without any is absent. */
export async function countsOfSends(
  _db: Db,
  _workspaceId: string,
  _sendIds: readonly string[],
): Promise<ReadonlyMap<string, SendCounts>> {
  throw new Error('not built yet');
}

/** Puts the refused emails of a send back: returns how many. Suppressed and cancelled ones stay as they are. */
export async function retryRefused(_tx: Db, _key: SendKey): Promise<number> {
  throw new Error('not built yet');
}
