/**
 * "May this email leave?", written once: the claim, the second look, the release and the sweeps put these parts into
 * their statements. They read an email as `e` (workspace_id, recipient, grouped, lane, subscriber_id, expires_at), its
 * send as `r`, its content as `t` and its domain as `d`; the last three come from left joins.
 */
import { sql } from 'kysely';
import { AT_LIMIT } from '../pause/pause.ts';

/** Not for a grouped message, whose addresses are looked up one by one. */
export const isSuppressed = sql`exists (
  select from suppressions s where s.workspace_id = e.workspace_id and s.email = e.recipient
     and (s.expires_at is null or s.expires_at > now()))`;

/** Of a bulk send: the recipient is not in its audience any more, as the feature that keeps it has said. */
const hasLeft = sql`exists (
  select from audience_stops a where a.workspace_id = e.workspace_id and a.audience_id = r.audience_id
     and a.recipient_id = e.subscriber_id)`;

const gated = (state: 'paused' | 'blocked') => sql`(r.source is distinct from 'system'
  and e.workspace_id = any (array(select g.workspace_id from sending_gates g where g.state = ${sql.lit(state)})))`;

/**
 * The operator has blocked or paused the workspace. The gates are read once for each statement and not for each email:
 * the inner select depends on no row. Mail of the system itself, such as password resets, goes on.
 */
const isBlocked = gated('blocked');
const isHeld = gated('paused');

/** Why the recipient of an email must not get it; null: they may. */
export const whatStopsRecipient = sql`case
  when e.grouped is null and ${isSuppressed} then 'suppressed'
  when e.lane = 2 and ${hasLeft} then 'unsubscribed'
  end`;

/** Its send is paused, and so is what the send has in the queue. */
export const isPaused = sql`(r.paused_at is not null
  and (r.pause_code in (${sql.join(AT_LIMIT.map((code) => sql.lit(code)))})) is not true)`;

/** Why an email must not leave now; null: nothing stops it. Of a grouped message, nothing that stops all of it. */
export const whatStops = sql`case
  -- No foreign key forbids it; a row that could not be claimed would stop everybody at the head of the lane.
  when t.id is null then 'content_missing'
  when ${isBlocked} then 'cancelled'
  when e.expires_at <= clock_timestamp() then 'expired'
  when r.cancelled_at is not null then 'cancelled'
  -- A cancel said that emails of a paused send do not leave; they must not wait for a release that never comes.
  when ${isPaused} then case when r.bulk_state in ('cancelling', 'cancelled') then 'cancelled' else 'paused' end
  -- Of a bulk send they wait: the release pauses it and says why, and a verified domain lets it go on.
  when t.domain_id is not null and d.sending_enabled is not true
    then case when r.bulk_state in ('releasing', 'released') then 'paused' else 'domain_unverified' end
  -- Of a bulk send it is pending, and the release waits; other mail is held until the operator lets it go on.
  when ${isHeld} then case when r.bulk_state is null then 'held' else 'paused' end
  else ${whatStopsRecipient}
  end`;
