import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';

/** Whether Posthorn was ever started on this database. */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('schema_migration_files') is not null as there`.execute(db);
  return rows[0]?.there === true;
}

/** Domains that mail may be sent from, of whatever workspace; the operator owns the account that has to know them. */
export async function listSenderDomains(db: Db, except: string): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    -- every workspace: one provider account carries the mail of all
    select distinct d.domain from domains d
     where d.sending_enabled and d.domain <> ${except}
       and not exists (select from provider_identities i
                        where i.workspace_id = d.workspace_id and i.domain_id = d.id and i.ready_at is not null)
     order by d.domain`.execute(db);
  return rows.map(({ domain }) => domain);
}

/** Domains whose identity Posthorn made itself and has seen verified, each in its own region. */
export async function countReadyIdentities(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    -- every workspace: the account is one
    select count(*)::int as total from provider_identities where ready_at is not null`.execute(db);
  return rows[0]?.total ?? 0;
}

export interface TopicRow {
  arn: string;
  state: 'confirmed' | 'unsubscribed' | 'failed';
  note: string | null;
  lastMessageAt: Date | null;
}

export async function findTopics(db: Db, arns: readonly string[]): Promise<TopicRow[]> {
  const { rows } = await sql<TopicRow>`
    select arn, state, note, last_message_at as "lastMessageAt" from sns_topics
    where arn = any(${arns}::text[])`.execute(db);
  return rows;
}

export interface SilentMail {
  count: number;
  newestAt: Date | null;
}

/**
 * Mail that was accepted and handed over between two moments, and of which nothing was heard. Looked for among the
 * newest 5,000 of each workspace: where a day has a million, most of them are settled, and all would have to be read.
 */
export async function findSilentMail(db: Db, since: Date, until: Date): Promise<SilentMail> {
  const { rows } = await sql<SilentMail>`
    -- every workspace: the provider reports on the mail of all through one topic
    select coalesce(sum(s.count), 0)::int as count, max(s.newest) as "newestAt"
    from workspaces w
    cross join lateral (
      select count(*) as count, max(e.sent_at) as newest
      from (
        select status, sandbox, sent_at, provider_message_id from emails
        where workspace_id = w.id and id >= ${firstIdAt(since)}::uuid and id < ${firstIdAt(until)}::uuid
        order by id desc limit 5000
      ) e
      where e.status = 'sent' and not e.sandbox and e.sent_at < ${until} and e.provider_message_id is not null
    ) s`.execute(db);
  return rows[0] ?? { count: 0, newestAt: null };
}

export async function lastBounceMailAt(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(received_at) as at from provider_notifications where source = 'mail'`.execute(db);
  return rows[0]?.at ?? null;
}

export interface RefusedPair {
  sender: string;
  receiver: string;
  refused: number;
  words: string;
  /** ISO 8601, in UTC. */
  day: string;
}

/** The domains that refused so much mail of a domain, today or yesterday, that its owners were told. */
export async function listRefusedPairs(db: Db, limit: number): Promise<RefusedPair[]> {
  const { rows } = await sql<RefusedPair>`
    -- every workspace: the servers that send are the operator's
    select sender_domain as sender, recipient_domain as receiver, refused, words, day::text as day
      from policy_refusals
     where day >= (now() at time zone 'UTC')::date - 1 and told_on = day
     order by refused desc, sender_domain, recipient_domain limit ${limit}`.execute(db);
  return rows;
}

/** The domains that receive mail, by region. */
export async function listReceivingDomains(db: Db): Promise<{ domain: string; region: string }[]> {
  const { rows } = await sql<{ domain: string; region: string }>`
    -- every workspace: one account receives for all
    select distinct domain, provider_region as region from domains where receiving_enabled order by 2, 1`.execute(db);
  return rows;
}

export interface ArrivalsLeft {
  waiting: number;
  refused: number;
  note: string | null;
}

/** Mail that Amazon SES received, and that has waited since `before` or was given up in the last seven days. */
export async function countArrivalsLeft(db: Db, before: Date): Promise<ArrivalsLeft> {
  const { rows } = await sql<ArrivalsLeft>`
    select count(*) filter (where outcome is null)::int as waiting,
           count(*) filter (where outcome = 'refused')::int as refused,
           (array_agg(note order by outcome is null, received_at desc))[1] as note
      from inbound_arrivals
     where (outcome is null and received_at < ${before})
        or (outcome = 'refused' and received_at > ${before}::timestamptz - interval '7 days')`.execute(db);
  return rows[0] ?? { waiting: 0, refused: 0, note: null };
}
