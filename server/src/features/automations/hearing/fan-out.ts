import type { IssueNews } from '#features/newsletters';
import { bulkSends } from '#features/outbox';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { insertFanOut, lockFanOut, moveFanOut } from './fan-out-queries.ts';
import type { Happening } from './happening.ts';
import { hear } from './hear.ts';
import type { Hearing } from './list-erased.ts';
import { listHearing } from './queries.ts';

const PAGE = 500;

/** An issue was sent: its recipients are told page by page, when some automation hears of it. */
export async function noteIssueSent(tx: Db, news: IssueNews): Promise<void> {
  const hearing = await listHearing(tx, [news.workspaceId], ['issue_sent']);
  if (hearing.length > 0) await insertFanOut(tx, news);
}

/**
 * Tells automations of a page of the recipients of an issue. The page and its place are one transaction, so each
 * recipient is told of once. False: there is nothing to tell.
 */
export async function tellOfIssue({ db, secrets }: Hearing): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const fanOut = await lockFanOut(tx);
    if (fanOut === undefined) return false;
    const { workspaceId, newsletterId, issueId, afterEmailId } = fanOut;
    const people = await bulkSends.pageOfReleased(tx, fanOut, { after: afterEmailId, limit: PAGE });
    await hear(
      { db: tx, secrets },
      people.map(
        ({ email, emailId }): Happening => ({
          workspaceId,
          type: 'issue_sent',
          email,
          newsletterId,
          payload: { newsletter_id: newsletterId, issue_id: issueId, email_id: emailId },
          runId: null,
          sandbox: false,
        }),
      ),
    );
    await moveFanOut(tx, fanOut, people.length < PAGE ? null : (people.at(-1)?.emailId ?? null));
    await reach('automations.fan-out.before-commit');
    return true;
  });
}
