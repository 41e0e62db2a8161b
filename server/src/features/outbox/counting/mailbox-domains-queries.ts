import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Takes domains that are to be looked up; each is due again in an hour, should this process end. */
export async function claimUnknownDomains(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    update mailbox_domains m set next_look_at = now() + interval '1 hour', tries = m.tries + 1
      from (select domain from mailbox_domains where next_look_at <= now()
             order by next_look_at limit ${limit} for update skip locked) as due
     where m.domain = due.domain returning m.domain`.execute(db);
  return rows.map(({ domain }) => domain);
}

/**
 * Writes the providers of domains. They count from the second quarter of an hour that follows: what a transaction
 * counts at this moment is of an earlier one, and stays where it is.
 */
export async function rememberProviders(db: Db, found: readonly { domain: string; provider: string }[]): Promise<void> {
  await sql`
    update mailbox_domains m
       set provider = f.provider, next_look_at = null,
           since = date_bin('15 minutes', now(), '2000-01-01T00:00:00Z') + interval '30 minutes'
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (domain text, provider text)
     where m.domain = f.domain and m.since = 'infinity'`.execute(db);
}

/** No more looks at domains that were tried so often; they are counted as others. */
export async function giveUpDomains(db: Db, domains: readonly string[], tries: number): Promise<void> {
  await sql`
    update mailbox_domains set next_look_at = null
     where domain = any (${[...domains]}::text[]) and tries >= ${tries}`.execute(db);
}

/**
 * Removes a page of the domains that were not counted since, and returns how many. Their emails are gone, so no count
 * of theirs is taken back any more; one that is mailed again is looked up again. The known ones of the beginning stay.
 */
export async function forgetDomains(db: Db, since: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mailbox_domains where domain in (
      select domain from mailbox_domains where seen_on < ${since}::date and since <> '-infinity'
       order by seen_on limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
