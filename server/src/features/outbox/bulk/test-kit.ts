/** Helpers that the tests of bulk sends share: a list, a send to it, and a recount from the rows. */
import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import type { PersonalContent } from '../compose/personal-content.ts';
import { aContent } from '../test-kit.ts';
import type { BulkOrigin, SendKey } from './bulk-send.ts';
import type { NewPart } from './parts.ts';
import { freezeRecipients } from './freeze/freeze-recipients.ts';
import { openBulkSend } from './freeze/open-bulk-send.ts';
import { Releaser } from './release/releaser.ts';
import type { SendCounts } from './send-counts.ts';

/** Adds a list with this many active subscribers, in one statement. Returns its id. */
export async function aList(db: Db, workspaceId: string, count: number, name = 'reader'): Promise<string> {
  const newsletterId = newId();
  await sql`
    insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${workspaceId}, ph_uuidv7(), ${newsletterId}, ${name} || '-' || lpad(n::text, 7, '0') || '@example.com', 'active'
      from generate_series(1, ${count}::integer) as n`.execute(db);
  return newsletterId;
}

export const activeOf =
  (workspaceId: string, newsletterId: string) =>
  (after: string | null, limit: number): RawBuilder<unknown> =>
    sql`
    select s.email as recipient, s.name as recipient_name, s.id as recipient_id, false as passed_over from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.status = 'active'
       and ${after === null ? sql`true` : sql`s.email > ${after}`}
     order by s.workspace_id, s.newsletter_id, s.email limit ${limit}`;

/** The same content for everybody, without a frame. */
export const plain: PersonalContent = {
  liquid: false,
  headers: [],
  preheader: null,
  frame: {
    html: { before: '<div>', after: '</div><footer>Acme</footer>', preheader: '', footer: '<footer>Acme</footer>' },
    text: { after: '' },
  },
};

export async function openSend(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  given: {
    domainId?: string;
    sandbox?: boolean;
    kind?: string;
    origin?: BulkOrigin;
    links?: string[];
    parts?: NewPart[];
  } = {},
): Promise<SendKey> {
  const domain = { domain: 'acme.test', domainId: given.domainId ?? null };
  const sendId = await inTransaction(db, (tx) =>
    openBulkSend(tx, {
      workspaceId,
      origin: given.origin ?? { source: 'issue', newsletterId, issueId: newId() },
      audience: { kind: given.kind ?? 'newsletter', audienceId: newsletterId },
      content: aContent({ domain }),
      personal: plain,
      links: given.links ?? null,
      sandbox: given.sandbox ?? false,
      requestId: null,
      ...(given.parts === undefined ? {} : { parts: given.parts }),
    }),
  );
  return { workspaceId, sendId };
}

/** Freezes all pages of the send. */
export async function freezeAll(db: Db, key: SendKey, newsletterId: string, page = 1_000): Promise<void> {
  for (;;) {
    const result = await freezeRecipients(db, key, activeOf(key.workspaceId, newsletterId), page);
    if (result.outcome === 'closed' || result.outcome === 'stopped') return;
  }
}

/** A list of this many subscribers, and a frozen send to it. */
export async function aFrozenSend(
  db: Db,
  workspaceId: string,
  count: number,
  given: { domainId?: string; sandbox?: boolean } = {},
): Promise<SendKey & { newsletterId: string }> {
  const newsletterId = await aList(db, workspaceId, count);
  const key = await openSend(db, workspaceId, newsletterId, given);
  await freezeAll(db, key, newsletterId);
  return { ...key, newsletterId };
}

/** How many emails of the send are in each state, counted from the rows. */
export async function statusesOf(db: Db, { workspaceId, sendId }: SendKey): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::integer as n from emails where workspace_id = ${workspaceId} and send_id = ${sendId}
     group by status order by status`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}

export async function stateOfSend(db: Db, { workspaceId, sendId }: SendKey): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select bulk_state as state from send_requests where workspace_id = ${workspaceId} and id = ${sendId}`.execute(db);
  return rows[0]?.state;
}

/** The statistics, counted from the rows of emails. Unsubscribes and times are not among them. */
export async function recount(
  db: Db,
  { workspaceId, sendId }: SendKey,
): Promise<Omit<SendCounts, 'unsubscribed' | 'firstEventAt' | 'lastEventAt'>> {
  const { rows } = await sql<Omit<SendCounts, 'unsubscribed' | 'firstEventAt' | 'lastEventAt'>>`
    select count(*)::integer as total,
           (count(*) filter (where status in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed')))::integer as pending,
           (count(*) filter (where status = 'pending'))::integer as waiting,
           (count(*) filter (where status in ('queued', 'deferred')))::integer as queued,
           (count(*) filter (where status = 'sending'))::integer as sending,
           (count(*) filter (where status = 'unconfirmed'))::integer as unconfirmed,
           (count(*) filter (where status in ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained')))::integer as sent,
           (count(*) filter (where status in ('failed', 'suppressed', 'cancelled')))::integer as failed,
           (count(*) filter (where status = 'failed'))::integer as refused,
           (count(*) filter (where status = 'suppressed'))::integer as suppressed,
           (count(*) filter (where status = 'cancelled'))::integer as cancelled,
           (count(*) filter (where delivered_at is not null and status in ('delivered', 'complained')))::integer as delivered,
           (count(*) filter (where status = 'bounced'))::integer as bounced,
           (count(*) filter (where status = 'complained'))::integer as complained,
           (count(*) filter (where open_count > 0))::integer as opened,
           (count(*) filter (where click_count > 0))::integer as clicked,
           (count(*) filter (where machine_open_count > 0))::integer as "openedMachine",
           (count(*) filter (where machine_click_count > 0))::integer as "clickedMachine"
      from emails where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without a group has one row');
  return row;
}

/** One round of a process that begins with it. */
export const moveBulkSends = ({ db, ratePerSecond }: { db: Db; ratePerSecond: number }): Promise<boolean> =>
  new Releaser({ db, ratePerSecond, clock: systemClock, log: createLog({ level: 'silent' }) }).round();
