import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { IdentityLook, IdentityName } from './sending-identities.ts';

export interface IdentityOwner {
  workspaceId: string;
  domainId: string;
}

/** The identity of a new domain is due. An identity that another domain has stays with that one. */
export async function askForIdentity(db: Db, { workspaceId, domainId }: IdentityOwner, name: IdentityName) {
  await sql`
    insert into provider_identities as i (domain, region, workspace_id, domain_id, next_try_at)
    values (${name.domain}, ${name.region}, ${workspaceId}, ${domainId}, now())
    on conflict (domain, region) do update
       set workspace_id = excluded.workspace_id, domain_id = excluded.domain_id, selector = null, is_proven = false,
           ready_at = null, attempts = 0, next_try_at = now()
     where not exists (select from domains d where d.workspace_id = i.workspace_id and d.id = i.domain_id)`.execute(db);
}

/**
 * The same for domains that have none: those of the time before there were identities. Verified ones come first, and
 * count as proven.
 */
export async function askForMissingIdentities(db: Db, except: string): Promise<void> {
  await sql`
    -- every workspace: the service has one account
    insert into provider_identities (domain, region, workspace_id, domain_id, is_proven, next_try_at)
    select distinct on (d.domain, d.provider_region) d.domain, d.provider_region, d.workspace_id, d.id,
           d.sending_enabled, now()
      from domains d
     where d.dkim_private_key is not null and d.domain <> ${except}
       and not exists (select from provider_identities i where i.domain = d.domain and i.region = d.provider_region)
     order by d.domain, d.provider_region, d.sending_enabled desc, d.id
    on conflict do nothing`.execute(db);
}

/** A domain whose key stands in the DNS gets the identity, whichever domain had it. */
export async function claimIdentity(
  db: Db,
  { workspaceId, domainId }: IdentityOwner,
  { domain, region, selector }: IdentityName & { selector: string },
): Promise<void> {
  await sql`
    insert into provider_identities as i (domain, region, workspace_id, domain_id, is_proven, next_try_at)
    values (${domain}, ${region}, ${workspaceId}, ${domainId}, true, now())
    on conflict (domain, region) do update
       set workspace_id = excluded.workspace_id, domain_id = excluded.domain_id, is_proven = true, attempts = 0,
           selector = case when i.domain_id = excluded.domain_id then i.selector end,
           ready_at = case when i.domain_id = excluded.domain_id then i.ready_at end,
           next_try_at = now()
     where i.domain_id <> excluded.domain_id or not i.is_proven or i.selector is distinct from ${selector}`.execute(db);
}

/** The domains of a workspace are gone, or this one is: their identities are due to be deleted. */
export async function releaseIdentities(tx: Db, workspaceId: string, domainId: string | null): Promise<void> {
  await sql`
    update provider_identities set next_try_at = now(), attempts = 0
     where workspace_id = ${workspaceId} and (${domainId}::uuid is null or domain_id = ${domainId}::uuid)`.execute(tx);
}

export interface DueIdentity extends IdentityOwner, IdentityName {
  isProven: boolean;
  isOurs: boolean;
  /** The key that it is to have; null: its domain is gone. */
  wanted: { selector: string; sealedKey: Buffer } | null;
}

interface DueRow extends Omit<DueIdentity, 'wanted'> {
  selector: string | null;
  sealedKey: Buffer | null;
}

const LEASE = sql`interval '2 minutes'`;
const returned = sql`
  i.domain, i.region, i.workspace_id as "workspaceId", i.domain_id as "domainId", i.is_proven as "isProven",
  i.is_ours as "isOurs", d.dkim_selector as selector, d.dkim_private_key as "sealedKey"`;

const dueOf = ({ selector, sealedKey, ...row }: DueRow): DueIdentity => ({
  ...row,
  wanted: selector === null || sealedKey === null ? null : { selector, sealedKey },
});

/** Takes identities that are due, at most `perWorkspace` of one workspace. Nobody else has them for two minutes. */
export async function claimDueIdentities(db: Db, max: number, perWorkspace: number): Promise<DueIdentity[]> {
  const { rows } = await sql<DueRow>`
    -- every workspace: one round serves all
    with due as (
      select domain, region, next_try_at,
             row_number() over (partition by workspace_id order by next_try_at) as place
        from provider_identities
       where next_try_at <= now() and (leased_until is null or leased_until <= now())
    ), chosen as (
      select i.domain, i.region
        from due join provider_identities i on i.domain = due.domain and i.region = due.region
       where due.place <= ${perWorkspace} and i.next_try_at <= now()
         and (i.leased_until is null or i.leased_until <= now())
       order by i.next_try_at limit ${max} for update of i skip locked
    ), taken as (
      update provider_identities i set leased_until = now() + ${LEASE}
        from chosen c where i.domain = c.domain and i.region = c.region
      returning i.*
    )
    select ${returned} from taken i
      left join domains d on d.workspace_id = i.workspace_id and d.id = i.domain_id`.execute(db);
  return rows.map(dueOf);
}

/** The same for the identity of one domain; undefined: nothing is due, or another process is at it. */
export async function claimDueIdentity(db: Db, owner: IdentityOwner): Promise<DueIdentity | undefined> {
  const { rows } = await sql<DueRow>`
    with taken as (
      update provider_identities i set leased_until = now() + ${LEASE}
       where i.workspace_id = ${owner.workspaceId} and i.domain_id = ${owner.domainId} and i.next_try_at <= now()
         and (i.leased_until is null or i.leased_until <= now())
      returning i.*
    )
    select ${returned} from taken i
      join domains d on d.workspace_id = i.workspace_id and d.id = i.domain_id
     where i.workspace_id = ${owner.workspaceId}`.execute(db);
  return rows.map(dueOf)[0];
}

const isOf = (due: DueIdentity) => sql`
  domain = ${due.domain} and region = ${due.region} and workspace_id = ${due.workspaceId}
  and domain_id = ${due.domainId}`;

/** It is about to be made. From here on it counts as made by us: the answer may be lost. */
export async function markMade(db: Db, due: DueIdentity): Promise<void> {
  await sql`
    update provider_identities set is_ours = true
     where workspace_id = ${due.workspaceId} and ${isOf(due)}`.execute(db);
}

/** The service has the key. A key that was changed meanwhile is due again. */
export async function markPut(db: Db, due: DueIdentity, selector: string): Promise<void> {
  await sql`
    update provider_identities i
       set selector = ${selector}, failure = null, attempts = 0, leased_until = null,
           next_try_at = case when d.dkim_selector = ${selector} then null else now() end
      from domains d
     where i.workspace_id = ${due.workspaceId} and i.domain = ${due.domain} and i.region = ${due.region}
       and i.domain_id = ${due.domainId} and d.workspace_id = i.workspace_id and d.id = i.domain_id`.execute(db);
  await letGo(db, due);
}

/** Ends the lease alone: the identity belongs to another domain by now, or its domain is gone. */
async function letGo(db: Db, due: DueIdentity): Promise<void> {
  await sql`
    -- every workspace: the identity may have passed to another one
    update provider_identities set leased_until = null
     where domain = ${due.domain} and region = ${due.region}`.execute(db);
}

/** The service had it before us, and nothing proves that this domain may change it. */
export async function markForeign(db: Db, due: DueIdentity, reason: string): Promise<void> {
  await sql`
    update provider_identities set failure = ${reason}, next_try_at = null
     where workspace_id = ${due.workspaceId} and ${isOf(due)} and not is_proven`.execute(db);
  await letGo(db, due);
}

/** It is tried again, later each time: after 15 seconds first, after an hour at most. */
export async function markFailed(db: Db, due: DueIdentity, reason: string): Promise<void> {
  await sql`
    update provider_identities
       set failure = ${reason}, attempts = attempts + 1,
           next_try_at = now() + least(interval '1 hour', interval '15 seconds' * power(2, least(attempts, 10)))
     where workspace_id = ${due.workspaceId} and ${isOf(due)}`.execute(db);
  await letGo(db, due);
}

/** The service has forgotten it. A domain that was added meanwhile has the row, and its identity is due. */
export async function deleteIdentity(db: Db, due: DueIdentity): Promise<void> {
  await sql`
    delete from provider_identities
     where workspace_id = ${due.workspaceId} and ${isOf(due)}
       and not exists (select from domains d where d.workspace_id = ${due.workspaceId} and d.id = ${due.domainId})`.execute(
    db,
  );
  await sql`
    -- every workspace: the identity may have passed to another one
    update provider_identities set leased_until = null, is_ours = false, selector = null, ready_at = null
     where domain = ${due.domain} and region = ${due.region}`.execute(db);
}

export interface StoredIdentity {
  selector: string | null;
  failure: string | null;
}

export async function findIdentity(db: Db, { workspaceId, domainId }: IdentityOwner) {
  const { rows } = await sql<StoredIdentity>`
    select selector, failure from provider_identities
     where workspace_id = ${workspaceId} and domain_id = ${domainId}`.execute(db);
  return rows[0];
}

/** `unchanged`: the service has yet to see a key that was changed, and takes mail as before. */
export type Seen = 'ready' | 'unchanged' | 'not ready' | 'gone';

/** Stores the result of a look. An identity that is gone is due again. */
export async function markSeen(
  db: Db,
  { workspaceId, domainId }: IdentityOwner,
  seen: Seen,
  look: Pick<IdentityLook, 'dkim' | 'takesMail'> | null,
): Promise<void> {
  await sql`
    update provider_identities
       set seen_at = now(), is_found = ${look !== null}, dkim_status = ${look?.dkim ?? null},
           takes_mail = ${look?.takesMail ?? false},
           ready_at = case ${seen} when 'ready' then coalesce(ready_at, now()) when 'unchanged' then ready_at end,
           selector = case when ${seen} = 'gone' then null else selector end,
           next_try_at = case when ${seen} = 'gone' then now() else next_try_at end
     where workspace_id = ${workspaceId} and domain_id = ${domainId}`.execute(db);
}

/** The regions that mail of a workspace may leave in besides the usual one. */
export async function listIdentityRegions(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ region: string }>`
    select distinct region from provider_identities where workspace_id = ${workspaceId}`.execute(db);
  return rows.map(({ region }) => region);
}
