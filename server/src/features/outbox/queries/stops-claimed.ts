import { type RawBuilder, sql } from 'kysely';
import { whatStops } from './what-stops.ts';

interface Claimed {
  workspaceId: string;
  id: string;
  leaseToken: string;
  /** Of a grouped message: the members whom its claim left out. */
  leftOut: string[] | null;
}

/** A row for each claimed email: `workspace_id`, `id`, `token`, `left_out`, and its `place` in the list from 0. */
export function claimedRows(emails: readonly Claimed[]): RawBuilder<unknown> {
  const input = JSON.stringify(
    emails.map(({ workspaceId, id, leaseToken, leftOut }, place) => ({
      workspace_id: workspaceId,
      id,
      token: leaseToken,
      left_out: leftOut ?? [],
      place,
    })),
  );
  return sql`(select * from jsonb_to_recordset(${input}::jsonb)
    as claimed (workspace_id uuid, id uuid, token uuid, left_out jsonb, place integer))`;
}

/**
 * Whether a claimed email must not leave as it was claimed: something stops it (`what-stops.ts`), or a member of its
 * grouped message was suppressed since. Reads the email as `e`, its send, content and domain as `r`, `t` and `d`, and
 * the row of its claim as `a`.
 */
export const stopsClaimed = sql`(${whatStops} is not null
  or (e.grouped is not null and exists (
        select from jsonb_path_query(e.grouped, '$.*[*]') as g (entry)
          join suppressions s on s.workspace_id = e.workspace_id and s.email = lower(g.entry ->> 'address')
         where (s.expires_at is null or s.expires_at > now()) and not a.left_out ? s.email)))`;
