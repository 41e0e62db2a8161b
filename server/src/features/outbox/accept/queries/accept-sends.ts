import { sql } from 'kysely';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { type KnownKey, knownKeysOf, type KnownPage, pageOfKeys } from '#platform/http/idempotency/page-of-keys.ts';
import type { AnswerToKeep } from '#platform/http/idempotency/queries.ts';
import { newId } from '#platform/ids.ts';
import {
  type Admission,
  admissionsOf,
  type PageOfTakes,
  pageOfTakes,
  type TakenPage,
} from '#platform/usage/page-of-takes.ts';
import type { Take } from '#platform/usage/take.ts';
import { insertVariants } from './insert-variants.ts';
import type { AcceptedSend, ComposedContent, RawContent } from '../accepted-send.ts';

export interface SendToInsert {
  workspaceId: string;
  jobId: string;
  contentId: string;
  send: AcceptedSend;
  lane: number;
  /** One per recipient, or one for a grouped message. */
  emailIds: readonly string[];
  /** One per address. */
  eventIds: readonly string[];
  addresses: readonly Mailbox[];
  /** One per variant. */
  variantIds: readonly string[];
  /** The answer that is kept with the send, for a send that is known again by a key. */
  answer?: AnswerToKeep;
}

/** The result of a send: its emails are stored, or a limit had no room and nothing of it is stored. */
export type InsertedSend =
  | {
      /** Positions in `emailIds` that are suppressed; the others are queued. */
      suppressed: ReadonlySet<number>;
      /** The count of each take's window with this send. */
      used: readonly number[];
    }
  | { refusedBy: number };

/** The same, or the send has a key that is known: nothing of it is stored. */
export type KeyedSend = InsertedSend | KnownKey;

interface Accepted extends TakenPage, KnownPage {
  suppressedPlaces: number[] | null;
  suppressedEmails: number[] | null;
}

/**
 * Stores sends in one round trip and, outside a transaction, one commit. The function keeps its plans on the server
 * (see its migration). The sends are one JSON text, except for the bytes of files and of raw messages. Each of them is
 * a binary parameter: in an array, as in JSON, its bytes would be hexadecimal text. `takes` are those of each send, by
 * its place; empty when none takes anything. A send whose takes find no room is left out, and so is one whose key is
 * known; no key stands twice.
 */
export async function insertKeyedSends(
  db: Db,
  sends: readonly SendToInsert[],
  takes: readonly (readonly Take[])[],
): Promise<KeyedSend[]> {
  const page = pageOfTakes(takes);
  const accepted = await accept(db, sends, page);
  const known = knownKeysOf(accepted);
  const suppressed = suppressedOf(accepted);
  // A known send has taken nothing.
  const taken = takes.map((ofSend, place) =>
    known.has(place) ? ofSend.map((take) => ({ ...take, count: 0 })) : ofSend,
  );
  const admissions = admissionsOf(taken, page, accepted);
  const isStored = (place: number): boolean =>
    !known.has(place) && !('refusedBy' in (admissions[place] ?? NOTHING_TAKEN));
  await insertVariants(
    db,
    sends.filter((_send, place) => isStored(place)),
  );
  return sends.map((_send, place) => {
    const admission = admissions[place] ?? NOTHING_TAKEN;
    const stored =
      'refusedBy' in admission ? admission : { suppressed: suppressed.get(place) ?? NOBODY, used: admission.used };
    return known.get(place) ?? stored;
  });
}

/** The same for sends without keys. */
export async function insertSends(
  db: Db,
  sends: readonly SendToInsert[],
  takes: readonly (readonly Take[])[],
): Promise<InsertedSend[]> {
  return (await insertKeyedSends(db, sends, takes)).map(withoutKey);
}

/** The result of a send without a key. */
export function withoutKey(inserted: KeyedSend): InsertedSend {
  if ('kept' in inserted) throw new Error('a send without a key was known by one');
  return inserted;
}

async function accept(db: Db, sends: readonly SendToInsert[], page: PageOfTakes): Promise<Accepted> {
  const files: Buffer[] = [];
  const records = sends.map((given, place) => sendRecord(given, place, files));
  const keys = pageOfKeys(sends.map(({ answer }) => answer));
  const given = sql`${JSON.stringify(records)}::jsonb, ${page.windows}::jsonb, ${page.takes}::integer[],
        ${sends.length > 1 && !db.isTransaction}::boolean,
        ${files.length === 0 ? null : sql`array[${sql.join(padded(files).map((file) => sql`${file}::bytea`))}]`}`;
  // A statement that comes alone may lose its plan and run again; one of a transaction may not.
  const { rows } = await sql<Accepted>`${db.isTransaction ? sql`` : keepPlan}
    select counted, refused_places as "refusedPlaces", refused_by as "refusedBy",
           suppressed_places as "suppressedPlaces", suppressed_emails as "suppressedEmails",
           ${keys === null ? NO_KEYS : KEYS}
      from ${keys === null ? sql`ph_accept_sends(${given})` : sql`ph_accept_keyed_sends(${keys}::jsonb, ${given})`}`.execute(
    db,
  );
  const [accepted] = rows;
  if (accepted === undefined) throw new Error('sends were given and nothing was said of them');
  return accepted;
}

/** Up to the next power of two: statements of few texts, each of which the server keeps the plan of. */
const padded = (files: readonly Buffer[]): (Buffer | null)[] => [
  ...files,
  ...Array.from({ length: 2 ** Math.ceil(Math.log2(files.length)) - files.length }, () => null),
];

const KEYS = sql`known_places as "knownPlaces", known_fingerprints as "knownFingerprints",
           known_responses as "knownResponses"`;
const NO_KEYS = sql`null as "knownPlaces", null as "knownFingerprints", null as "knownResponses"`;

/** The addresses of an email that were suppressed when it was stored, in the same transaction. */
export async function countRejected(tx: Db, workspaceId: string, emailId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from email_events
     where workspace_id = ${workspaceId} and email_id = ${emailId} and type = 'reject'`.execute(tx);
  return rows[0]?.n ?? 0;
}

/**
 * Of emails that were just stored, in the same transaction: the addresses that were suppressed, in the order in which
 * they were given. An email without such addresses is not in it.
 */
export async function suppressedAddresses(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (emailIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; addresses: string[] }>`
    select email_id as id, array_agg(recipient order by sequence) as addresses from email_events
     where workspace_id = ${workspaceId} and email_id = any (${emailIds}::uuid[]) and type = 'reject'
     group by email_id`.execute(tx);
  return new Map(rows.map(({ id, addresses }) => [id, addresses]));
}

const NOTHING_TAKEN: Admission = { used: [] };
const NOBODY: ReadonlySet<number> = new Set();

/** The suppressed emails of each send that has some, counted from 0. */
function suppressedOf({ suppressedPlaces, suppressedEmails }: Accepted): Map<number, Set<number>> {
  const suppressed = new Map<number, Set<number>>();
  for (const [index, place] of (suppressedPlaces ?? []).entries()) {
    const ofSend = suppressed.get(place) ?? new Set();
    ofSend.add((suppressedEmails?.[index] ?? 0) - 1);
    suppressed.set(place, ofSend);
  }
  return suppressed;
}

/** The names are those of the function. Adds the bytes of its files to `files`. */
function sendRecord(given: SendToInsert, place: number, files: Buffer[]): Record<string, unknown> {
  const { send, addresses } = given;
  const { content, grouped } = send;
  return {
    place,
    workspace_id: given.workspaceId,
    id: given.jobId,
    content_id: given.contentId,
    source: send.source,
    api_key_id: send.apiKey?.id,
    request_id: send.requestId,
    batch_id: send.batch?.id,
    batch_index: send.batch?.index,
    newsletter_id: send.origin?.newsletterId,
    issue_id: send.origin?.issueId,
    template_id: send.origin?.templateId,
    broadcast_id: send.origin?.broadcastId,
    scheduled_id: send.origin?.scheduledId,
    automation_run_id: send.origin?.automationRunId,
    template_version: send.templateVersion,
    subscriber_id: send.origin?.subscriberId,
    lane: given.lane,
    sandbox: send.sandbox,
    expires_at: send.expiresAt,
    from_address: content.from.address,
    from_name: content.from.name,
    from_domain: content.domain.domain,
    domain_id: content.domain.domainId,
    reply_to: content.replyTo.map(nameAndAddress),
    subject: content.subject,
    tags: content.tags,
    metadata: content.metadata,
    ...(content.kind === 'composed' ? composedRecord(content, files) : rawRecord(content, files)),
    email_ids: given.emailIds,
    content_ids: send.variants === undefined ? undefined : contentIdsOf(given),
    event_ids: given.eventIds,
    recipients: addresses.map((to) => to.identity),
    names: addresses.map((to) => to.name),
    typed: addresses.map((to) => to.address),
    grouped: grouped === undefined ? undefined : groupedRecord(grouped),
  };
}

/** The content of each recipient; null: that of the send. */
function contentIdsOf({ send, emailIds, variantIds }: SendToInsert): (string | null)[] {
  const ids: (string | null)[] = emailIds.map(() => null);
  for (const [place, { of }] of (send.variants ?? []).entries()) {
    for (const recipient of of) ids[recipient] = variantIds[place] ?? null;
  }
  return ids;
}

const composedRecord = (content: ComposedContent, files: Buffer[]): Record<string, unknown> => ({
  html: content.html,
  text: content.text,
  headers: content.headers,
  in_reply_to: content.inReplyTo,
  track_opens: content.trackOpens,
  track_clicks: content.trackClicks,
  files: content.attachments.length === 0 ? undefined : fileRecords(content.attachments, files),
});

const rawRecord = (content: RawContent, files: Buffer[]): Record<string, unknown> => ({
  headers: {},
  track_opens: content.trackOpens,
  track_clicks: content.trackClicks,
  mime: files.push(content.mime),
  message_id: content.messageId,
});

const fileRecords = (attachments: ComposedContent['attachments'], files: Buffer[]): unknown[] =>
  attachments.map(({ filename, contentType, cid, disposition, body }, position) => ({
    id: newId(),
    position,
    filename,
    content_type: contentType,
    cid,
    disposition,
    // Counted from 1, as PostgreSQL counts.
    number: files.push(body),
  }));

const nameAndAddress = (mailbox: Mailbox): { address: string; name: string | null } => ({
  address: mailbox.address,
  name: mailbox.name,
});

const groupedRecord = (grouped: NonNullable<AcceptedSend['grouped']>): Record<'to' | 'cc' | 'bcc', unknown[]> => ({
  to: grouped.to.map(nameAndAddress),
  cc: grouped.cc.map(nameAndAddress),
  bcc: grouped.bcc.map(nameAndAddress),
});
