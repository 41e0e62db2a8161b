import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { DkimStatus, RecordState } from '../domain.ts';
import type { CheckedState, Outcome } from './next-state.ts';

interface DomainKey {
  workspaceId: string;
  id: string;
}

/** Notes that a check begins. False: another one began less than ten seconds ago. */
export async function beginCheck(db: Db, { workspaceId, id }: DomainKey): Promise<boolean> {
  const { rows } = await sql`
    insert into domain_watches as w (workspace_id, domain_id, watch_until, begun_at)
    select d.workspace_id, d.id, now() + interval '72 hours', now()
      from domains d where d.workspace_id = ${workspaceId} and d.id = ${id}
    on conflict (workspace_id, domain_id) do update set begun_at = excluded.begun_at
      where w.begun_at is null or w.begun_at <= now() - interval '10 seconds' or w.begun_at > now() + interval '1 minute'
    returning w.domain_id`.execute(db);
  return rows.length > 0;
}

/**
 * Takes checks that are due, the longest due first and at most `perWorkspace` of one workspace: slow name servers of
 * one must not delay all others. A process that takes one has ten minutes; then it is due again.
 */
export async function claimDueChecks(db: Db, max: number, perWorkspace: number): Promise<DomainKey[]> {
  const { rows } = await sql<DomainKey>`
    -- every workspace: one round checks for all
    with due as (
      select workspace_id, domain_id, next_check_at,
             row_number() over (partition by workspace_id order by next_check_at) as place
        from domain_watches where next_check_at <= now()
    ), chosen as (
      select w.workspace_id, w.domain_id
        from due join domain_watches w on w.workspace_id = due.workspace_id and w.domain_id = due.domain_id
       where due.place <= ${perWorkspace} and w.next_check_at <= now()
       order by w.next_check_at limit ${max} for update of w skip locked
    )
    update domain_watches w set next_check_at = now() + interval '10 minutes', begun_at = now()
      from chosen c where w.workspace_id = c.workspace_id and w.domain_id = c.domain_id
    returning w.workspace_id as "workspaceId", w.domain_id as id`.execute(db);
  return rows;
}

/** A check in the background comes soon, unless it is due, or none is to come any more. */
export async function hastenCheck(db: Db, { workspaceId, id }: DomainKey): Promise<void> {
  await sql`
    update domain_watches set next_check_at = now()
     where workspace_id = ${workspaceId} and domain_id = ${id} and next_check_at > now()
       and (begun_at is null or begun_at < now() - interval '1 minute')`.execute(db);
}

export interface LockedWatch extends CheckedState {
  nowMs: number;
}

/** The state that a check may change; the row of the domain is locked by then. Undefined: it has no watch. */
export async function lockWatch(tx: Db, { workspaceId, id }: DomainKey): Promise<LockedWatch | undefined> {
  const { rows } = await sql<LockedWatch>`
    select d.dkim_status as status, d.sending_enabled as "sendingEnabled",
           w.failure_reason as "failureReason", w.failed_checks as "failedChecks",
           (extract(epoch from w.failing_since) * 1000)::float8 as "failingSince",
           (extract(epoch from w.next_check_at) * 1000)::float8 as "nextCheckAt",
           (extract(epoch from w.watch_until) * 1000)::float8 as "watchUntil",
           (extract(epoch from now()) * 1000)::float8 as "nowMs"
      from domain_watches w
      join domains d on d.workspace_id = w.workspace_id and d.id = w.domain_id
     where w.workspace_id = ${workspaceId} and w.domain_id = ${id}
       for update of w`.execute(tx);
  return rows[0];
}

export async function updateStatus(
  tx: Db,
  { workspaceId, id }: DomainKey,
  state: { status: DkimStatus; sendingEnabled: boolean; isNew: boolean },
): Promise<void> {
  await sql`
    update domains
       set dkim_status = ${state.status}, sending_enabled = ${state.sendingEnabled},
           verified_at = case when ${state.isNew} then now() else verified_at end, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function updateWatch(
  tx: Db,
  { workspaceId, id }: DomainKey,
  state: CheckedState,
  records: readonly RecordState[],
  nameServers: readonly string[] | null,
): Promise<void> {
  await sql`
    update domain_watches
       set last_checked_at = now(), failure_reason = ${state.failureReason}, failed_checks = ${state.failedChecks},
           failing_since = to_timestamp(${state.failingSince}::float8 / 1000),
           next_check_at = to_timestamp(${state.nextCheckAt}::float8 / 1000),
           watch_until = to_timestamp(${state.watchUntil}::float8 / 1000),
           record_states = ${JSON.stringify(records)}::jsonb,
           name_servers = coalesce(${nameServers === null ? null : [...nameServers]}::text[], name_servers)
     where workspace_id = ${workspaceId} and domain_id = ${id}`.execute(tx);
}

export interface NewCheck {
  id: string;
  byHand: boolean;
  outcome: Outcome;
  reason: string | null;
  records: unknown;
  lookups: unknown;
}

/** Stores the evidence of a check, and removes that of the same domain which is older than 30 days. */
export async function insertCheck(tx: Db, { workspaceId, id }: DomainKey, check: NewCheck): Promise<void> {
  await sql`
    insert into domain_checks (workspace_id, id, domain_id, at, by_hand, outcome, reason, records, lookups)
    values (${workspaceId}, ${check.id}, ${id}, now(), ${check.byHand}, ${check.outcome}, ${check.reason},
            ${JSON.stringify(check.records)}::jsonb, ${JSON.stringify(check.lookups)}::jsonb)`.execute(tx);
  await sql`
    delete from domain_checks
     where workspace_id = ${workspaceId} and domain_id = ${id} and at < now() - interval '30 days'`.execute(tx);
}

/**
 * The next key becomes the one that signs; the record of the former is needed for 7 more days. False: there is no next
 * key of this selector.
 */
export async function promoteNextKey(tx: Db, { workspaceId, id }: DomainKey, selector: string): Promise<boolean> {
  const { rows } = await sql`
    with next as (
      delete from domain_dkim_keys
       where workspace_id = ${workspaceId} and domain_id = ${id} and role = 'next' and selector = ${selector}
      returning selector, private_key, public_key
    ), former as (
      insert into domain_dkim_keys (workspace_id, domain_id, role, selector, public_key, until)
      select d.workspace_id, d.id, 'former', d.dkim_selector, d.dkim_public_key, now() + interval '7 days'
        from domains d, next where d.workspace_id = ${workspaceId} and d.id = ${id}
      on conflict (workspace_id, domain_id, role) do update
         set selector = excluded.selector, public_key = excluded.public_key, until = excluded.until
    )
    update domains d
       set dkim_selector = next.selector, dkim_private_key = next.private_key, dkim_public_key = next.public_key,
           updated_at = now()
      from next where d.workspace_id = ${workspaceId} and d.id = ${id}
    returning d.id`.execute(tx);
  return rows.length > 0;
}

export async function deleteRetiredKeys(tx: Db, { workspaceId, id }: DomainKey): Promise<void> {
  await sql`
    delete from domain_dkim_keys
     where workspace_id = ${workspaceId} and domain_id = ${id} and role = 'former' and until <= now()`.execute(tx);
}

/** The name is this domain's over the whole installation. False: it is another one's. */
export async function claimName(tx: Db, { workspaceId, id }: DomainKey, domain: string): Promise<boolean> {
  await sql`
    insert into verified_domains (domain, workspace_id, domain_id) values (${domain}, ${workspaceId}, ${id})
    on conflict (domain) do nothing`.execute(tx);
  const { rows } = await sql`
    select from verified_domains
     where domain = ${domain} and workspace_id = ${workspaceId} and domain_id = ${id}`.execute(tx);
  return rows.length > 0;
}

export async function releaseName(tx: Db, { workspaceId, id }: DomainKey): Promise<void> {
  await sql`delete from verified_domains where workspace_id = ${workspaceId} and domain_id = ${id}`.execute(tx);
}

/** Unverified domains of this name in other workspaces are checked now, and learn that they came too late. */
export async function hastenOthers(tx: Db, { workspaceId }: DomainKey, domain: string): Promise<void> {
  await sql`
    -- every workspace: the others with this name
    update domain_watches w set next_check_at = now()
      from domains d
     where d.workspace_id = w.workspace_id and d.id = w.domain_id and d.domain = ${domain}
       and d.workspace_id <> ${workspaceId} and not d.sending_enabled and w.next_check_at is not null`.execute(tx);
}

export interface StoredCheck {
  id: string;
  at: Date;
  byHand: boolean;
  outcome: Outcome;
  reason: string | null;
  records: { key: string; status: string; found: string[]; hint: string | null }[];
  lookups: unknown[];
}

/** Newest first, one more than asked for when there are more. */
export async function pageOfChecks(
  db: Db,
  { workspaceId, id }: DomainKey,
  page: { limit: number; offset: number; after: string | null },
): Promise<StoredCheck[]> {
  const { rows } = await sql<StoredCheck>`
    select id, at, by_hand as "byHand", outcome, reason, records, lookups
      from domain_checks
     where workspace_id = ${workspaceId} and domain_id = ${id}
       and (${page.after}::uuid is null or id < ${page.after}::uuid)
     order by id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

/** There are some hundreds at most: their rows end after 30 days. */
export async function countChecks(db: Db, { workspaceId, id }: DomainKey): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from domain_checks
     where workspace_id = ${workspaceId} and domain_id = ${id}`.execute(db);
  return rows[0]?.total ?? 0;
}
