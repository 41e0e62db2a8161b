import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Evidence } from './evidence.ts';

export type ConsentAction =
  | 'signed_up'
  | 'confirmation_sent'
  | 'confirmed'
  | 'unsubscribed'
  | 'undone'
  | 'imported'
  | 'added'
  | 'erased';

export interface NewConsent {
  workspaceId: string;
  id: string;
  newsletterId: string;
  subscriberId: string | null;
  emailHash: Buffer;
  /** The address, as it was typed when that is known. */
  email: string | null;
  action: ConsentAction;
  at: Date;
  evidence: Evidence;
  source: string | null;
  /** The confirmation email that was sent. */
  emailId: string | null;
  details: Record<string, unknown> | null;
}

export async function insertConsents(tx: Db, entries: readonly NewConsent[]): Promise<void> {
  const input = JSON.stringify(
    entries.map((one) => ({
      workspace_id: one.workspaceId,
      id: one.id,
      newsletter_id: one.newsletterId,
      subscriber_id: one.subscriberId,
      email_hash: `\\x${one.emailHash.toString('hex')}`,
      email: one.email,
      action: one.action,
      at: one.at,
      ip: one.evidence.ip,
      user_agent: one.evidence.userAgent,
      url: one.evidence.url,
      source: one.source,
      form_version: one.evidence.formVersion,
      email_id: one.emailId,
      token_id: one.evidence.tokenId ?? null,
      details: one.details,
    })),
  );
  await sql`
    insert into consents (workspace_id, id, newsletter_id, subscriber_id, email_hash, email, action, at, ip, user_agent,
      url, source, form_version, email_id, token_id, details)
    select i.workspace_id, i.id, i.newsletter_id, i.subscriber_id, i.email_hash, i.email, i.action, i.at, i.ip,
           i.user_agent, i.url, i.source, i.form_version, i.email_id, i.token_id, i.details
      from jsonb_to_recordset(${input}::jsonb) as i (workspace_id uuid, id uuid, newsletter_id uuid, subscriber_id uuid,
           email_hash bytea, email text, action text, at timestamptz, ip text, user_agent text, url text, source text,
           form_version text, email_id uuid, token_id text, details jsonb)`.execute(tx);
}

export interface ConsentRow {
  id: string;
  action: ConsentAction;
  at: Date;
  email: string | null;
  ip: string | null;
  userAgent: string | null;
  url: string | null;
  source: string | null;
  formVersion: string | null;
  emailId: string | null;
  tokenId: string | null;
  details: Record<string, unknown> | null;
}

/** The consents of an address in a newsletter, oldest first: also from before a row that was deleted. */
export async function pageConsents(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; emailHash: Buffer; limit: number; offset: number; after: string | null },
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select c.id, c.action, c.at, c.email, c.ip, c.user_agent as "userAgent", c.url, c.source,
           c.form_version as "formVersion", c.email_id as "emailId", c.token_id as "tokenId", c.details
      from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${asked.newsletterId}
       and c.email_hash = ${asked.emailHash} and (${asked.after}::uuid is null or c.id < ${asked.after}::uuid)
     order by c.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countConsents(
  db: Db,
  workspaceId: string,
  asked: { newsletterId: string; emailHash: Buffer },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${asked.newsletterId}
       and c.email_hash = ${asked.emailHash}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Takes everything about the person out of what is on record; what happened when, and the hash, stay. */
export async function forgetPeopleOfConsents(
  tx: Db,
  workspaceId: string,
  newsletterId: string,
  emailHashes: readonly Buffer[],
): Promise<void> {
  await sql`
    update consents
       set email = null, ip = null, user_agent = null, url = null, source = null, details = null, subscriber_id = null
     where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}
       and email_hash = any (${[...emailHashes]}::bytea[])`.execute(tx);
}
