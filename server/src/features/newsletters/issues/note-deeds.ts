import { type Db, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import type { NewslettersWiring } from '../wiring.ts';
import type { Done } from './issues-ctx.ts';

/** Notes what happened to an issue by itself, once the transaction in which it did is committed. */
export function noteDeeds(tx: Db, { audit }: Pick<NewslettersWiring, 'audit'>, { issue, deeds }: Done): void {
  const by = { workspaceId: issue.workspaceId, actor: systemActor, ip: null };
  onCommit(tx, () => {
    for (const deed of deeds) audit.record(by, { ...deed, targetType: 'issue', targetId: issue.id });
  });
}
