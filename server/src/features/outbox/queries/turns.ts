import { type RawBuilder, sql } from 'kysely';

/**
 * The expressions `next_turns` and `turns` of a statement: the rows of its expression `entering` (emails with
 * `workspace_id`, `lane`, `id`), and the `next_turn` of each, in the order of the ids. A turn is a round of the queue,
 * in which each workspace has one email. `comesBack`: the emails have waited, and pass those of their workspace that
 * have not.
 */
export const turnsOfEntering = ({ comesBack }: { comesBack: boolean }): RawBuilder<unknown> => sql`
    next_turns as materialized (
      select w.workspace_id, w.lane, ph_take_turns(w.workspace_id, w.lane, w.emails, ${sql.lit(comesBack)}) as taken
        from (select n.workspace_id, n.lane, count(*)::integer as emails from entering n
               group by n.workspace_id, n.lane) as w
    ), turns as materialized (
      select n.*, coalesce(t.taken[n.nth], t.taken[1] + n.nth - 1) as next_turn
        from (select e.*, row_number() over (partition by e.workspace_id, e.lane order by e.id) as nth from entering e) as n
        join next_turns t on t.workspace_id = n.workspace_id and t.lane = n.lane
    )`;
