import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Click } from './bursts.ts';
import { clickKeyAt } from './click-key.ts';
import type { EngagementType } from './engagement.ts';

interface OfEmail {
  workspaceId: string;
  emailId: string;
}

/** The fields of an email that judging an open or click needs. */
export interface EngagedEmail extends OfEmail {
  recipient: string;
  handoffAt: Date | null;
  sentAt: Date | null;
  /** Kept on this machine instead of sent: a sandbox send, or the capture provider. */
  wasKept: boolean;
  /** Of which kind a person's is stored already. */
  engaged: Set<EngagementType>;
}

/** The caller holds the rows of these emails, so that nobody else can store a first open of them meanwhile. */
export async function engagedEmails(db: Db, emails: readonly OfEmail[]): Promise<EngagedEmail[]> {
  const { rows } = await sql<Omit<EngagedEmail, 'engaged'> & { opened: boolean; clicked: boolean }>`
    select e.workspace_id as "workspaceId", e.id as "emailId", e.recipient, e.handoff_at as "handoffAt",
           e.sent_at as "sentAt", e.open_count > 0 as opened, e.click_count > 0 as clicked,
           e.sandbox or exists (select from captured_emails c where c.workspace_id = e.workspace_id
                                   and c.email_id = e.id) as "wasKept"
      from jsonb_to_recordset(${keysOf(emails)}::jsonb) as i (workspace_id uuid, email_id uuid)
      join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id`.execute(db);
  return rows.map(({ opened, clicked, ...email }) => ({
    ...email,
    engaged: new Set<EngagementType>([...(opened ? ['open' as const] : []), ...(clicked ? ['click' as const] : [])]),
  }));
}

/** More clicks of one email in so short a time say nothing more. */
const CLICKS_MAX = 500;

/**
 * Clicks on links of these emails, and visits to their link to leave, that we recorded so close to these, whether or
 * not they are due or applied.
 */
export async function clicksAround(
  db: Db,
  clicks: readonly (OfEmail & { at: Date })[],
  withinMs: number,
): Promise<(OfEmail & Click)[]> {
  const spans = [...Map.groupBy(clicks, ({ workspaceId, emailId }) => `${workspaceId} ${emailId}`).values()].flatMap(
    ([first, ...more]) => {
      if (first === undefined) return [];
      const times = [first, ...more].map(({ at }) => at.getTime());
      return {
        workspace_id: first.workspaceId,
        email_id: first.emailId,
        // Keys sort as their times do, so that this reads a few entries of the index and not all clicks of the email.
        key_from: clickKeyAt(new Date(Math.min(...times) - withinMs)),
        key_to: clickKeyAt(new Date(Math.max(...times) + withinMs + 1)),
      };
    },
  );
  const { rows } = await sql<OfEmail & Click>`
    select p.workspace_id as "workspaceId", p.email_id as "emailId", p.id,
           coalesce(p.payload -> p.type ->> 'link', '') as link,
           coalesce(p.payload -> p.type ->> 'ipAddress', '') as "ipAddress",
           (extract(epoch from p.at) * 1000)::double precision as "atMs", p.type = 'leave' as "isLeaving"
      from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb)
             as i (workspace_id uuid, email_id uuid, key_from text, key_to text)
     cross join lateral (
       select k.workspace_id, k.email_id, k.id, k.type, k.payload, k.at from provider_events k
        where k.workspace_id = i.workspace_id and k.email_id = i.email_id and k.semantic_key is not null
          and k.semantic_key >= i.key_from and k.semantic_key < i.key_to and k.type in ('click', 'leave')
        order by k.semantic_key limit ${CLICKS_MAX}) p`.execute(db);
  return rows;
}

/**
 * Holds an email until this transaction ends: a round that judges its clicks passes over it meanwhile, so it sees
 * either all that this transaction wrote, or nothing and is seen by it.
 */
export async function holdEmail(tx: Db, { workspaceId, emailId }: OfEmail): Promise<void> {
  await sql`
    select from emails where workspace_id = ${workspaceId} and id = ${emailId} for share`.execute(tx);
}

const keysOf = (emails: readonly OfEmail[]): string => {
  const unique = new Map(
    emails.map(({ workspaceId, emailId }) => [`${workspaceId} ${emailId}`, { workspaceId, emailId }]),
  );
  return JSON.stringify(
    [...unique.values()].map(({ workspaceId, emailId }) => ({ workspace_id: workspaceId, email_id: emailId })),
  );
};
