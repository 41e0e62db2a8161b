import type { Db } from '#platform/db/database.ts';
import { type Actor, systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { insertSecurityEvent, insertSecurityEventOfUser } from './queries.ts';

export interface SecurityEvent {
  /** `noun.verb_in_past`, such as `api_key.revoked`. */
  action: string;
  targetType?: string;
  targetId?: string;
  /** Never a secret, a token or a password. */
  details?: Record<string, unknown>;
}

/** The actor and the time: a ctx is one. Without a clock it is the time of the database. */
export interface SecuritySource {
  actor: Pick<Actor, 'type' | 'id' | 'email'>;
  ip: string | null;
  clock?: { now(): Date };
}

/** Nobody's request: a start, or the command line. */
export const bySystem = (clock: { now(): Date }): SecuritySource => ({
  actor: systemActor,
  ip: null,
  clock,
});

const rowOf = (source: SecuritySource, event: SecurityEvent) => ({
  at: source.clock?.now() ?? null,
  actorType: source.actor.type,
  actorId: source.actor.id,
  actorEmail: source.actor.email,
  ip: source.ip,
  action: event.action,
  targetType: event.targetType ?? null,
  targetId: event.targetId ?? null,
  details: event.details ?? {},
});

/**
 * Writes to the workspace's security log in the caller's transaction: the entry and what it tells of happen together.
 */
export async function recordSecurityEvent(
  tx: Db,
  source: SecuritySource & { workspaceId: string },
  event: SecurityEvent,
): Promise<void> {
  await insertSecurityEvent(tx, { ...rowOf(source, event), workspaceId: source.workspaceId, id: newId() });
}

/** The same in every workspace that a person belongs to, for what happens to their account. */
export async function recordAccountEvent(
  tx: Db,
  source: SecuritySource,
  userId: string,
  event: SecurityEvent,
): Promise<void> {
  await insertSecurityEventOfUser(tx, userId, rowOf(source, event));
}
