import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { SentBy } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type Composing, composeIssue } from '../content/compose-issue.ts';
import { findCorrection } from '../corrections/correction-queries.ts';
import type { Issue } from '../issue.ts';
import { SUBSCRIBERS } from './subscriber-audience.ts';
import { sumSubscribers } from '../../counts/counts-queries.ts';

/**
 * Opens the bulk send of an issue in the transaction that moves it to `sending`; freezing begins at its commit.
 * `expected` is how many are on the list now. Refuses (unacceptable) an issue that cannot be sent: no sender, no body.
 */
export async function startIssue(
  tx: Db,
  wiring: Composing,
  newsletter: Newsletter,
  issue: Issue,
  by: SentBy,
): Promise<{ sendId: string; expected: number }> {
  const { content, personal, links } = await composeIssue({ ...wiring, db: tx }, newsletter, issue);
  const { workspaceId, id: newsletterId } = newsletter;
  const sendId = await bulkSends.open(tx, {
    workspaceId,
    origin: { source: 'issue', newsletterId, issueId: issue.id },
    audience: { kind: SUBSCRIBERS, audienceId: newsletterId },
    content,
    personal,
    links,
    sandbox: by.mode === 'test',
    requestId: by.requestId ?? null,
  });
  return { sendId, expected: await expectedOf(tx, newsletter, issue) };
}

async function expectedOf(tx: Db, { workspaceId, id: newsletterId }: Newsletter, issue: Issue): Promise<number> {
  const corrected = await findCorrection(tx, issue);
  if (corrected === undefined) return (await sumSubscribers(tx, workspaceId, newsletterId)).active;
  const { correctsId: id, sendId, contentVersion } = corrected;
  return (await bulkSends.requireSent(tx, { workspaceId, id, sendId }, contentVersion)).sent;
}
