import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Takes the recipient out of what providers said of these emails. An event that is not applied yet waits for the
 * next time.
 */
export async function eraseProviderEvents(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await sql`
    update provider_events set recipient = 'erased-' || email_id || '@erased.invalid', payload = '{}'
     where workspace_id = ${workspaceId} and email_id = any (${[...emailIds]}::uuid[]) and applied_at is not null`.execute(
    tx,
  );
}
