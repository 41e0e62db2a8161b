import { sql } from 'kysely';

/**
 * Emails whose hand-off has not begun. One that a worker has claimed may be taken away from it until it has put the
 * beginning on record, under the same lock; whoever does so clears the lease, so that the worker finds it gone.
 */
export const hasNotBegun = sql`(e.status in ('pending', 'queued', 'deferred') or (e.status = 'sending' and e.handoff_at is null))`;
