import type { AuditEvent } from '#features/audit';
import type { Ctx } from '#platform/http/context.ts';
import type { Broadcast } from './broadcast.ts';

/** The dependencies of the verbs of broadcasts. */
export type BroadcastsCtx = Pick<
  Ctx,
  'db' | 'workspaceId' | 'actor' | 'requestId' | 'ip' | 'clock' | 'settings' | 'secrets'
>;

export const TARGET_TYPE = 'broadcast';

/** The broadcast of an entry, by the name that lists show. */
export const targetOf = ({ id, name, subject }: Pick<Broadcast, 'id' | 'name' | 'subject'>) => ({
  targetType: TARGET_TYPE,
  targetId: id,
  targetName: name || subject,
});

/** An action on a broadcast, for its own log. */
export type AuditEntry = Pick<AuditEvent, 'action' | 'details'>;

/** A broadcast after something was done to it. */
export interface Done {
  broadcast: Broadcast;
  auditEntries: readonly AuditEntry[];
}
