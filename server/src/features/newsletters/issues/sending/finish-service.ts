import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { type AwaitingIssue, listAwaitingFinish, markIssueFinished } from './finish-queries.ts';
import { publishIssueFinished } from './issue-events.ts';

const EVERY_MS = 1_000;
const PAGE = 100;

/** Undone when it was finished by another process, or is not settled after all. */
async function finishOne({ db }: Pick<NewslettersWiring, 'db'>, due: AwaitingIssue): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { workspaceId, id, sendId } = due;
    // The send is held before its issue, as everywhere.
    if (sendId !== null && !(await bulkSends.settle(tx, { workspaceId, sendId }))) return false;
    const issue = await markIssueFinished(tx, workspaceId, id);
    const newsletter = issue && (await selectNewsletter(tx, workspaceId, issue.newsletterId));
    if (issue === undefined || newsletter === undefined) return false;
    await publishIssueFinished(tx, newsletter, issue);
    return true;
  });
}

/** Finishes the issues of which nothing is pending any more. Returns how many. */
export async function finishIssues(
  wiring: Pick<NewslettersWiring, 'db'>,
  goOn: () => boolean = () => true,
): Promise<number> {
  let finished = 0;
  let after: AwaitingIssue | null = null;
  for (let found = PAGE; found === PAGE && goOn(); ) {
    const page: AwaitingIssue[] = await listAwaitingFinish(wiring.db, after, PAGE);
    for (const due of page) if (await finishOne(wiring, due)) finished += 1;
    found = page.length;
    after = page.at(-1) ?? after;
  }
  return finished;
}

/**
 * Sets `finished_at` and tells of it, in one transaction: once, however many processes look and whenever one of them is
 * killed. An issue whose refused emails are tried again is finished once more when these are settled.
 */
export const createFinishService = (wiring: Pick<NewslettersWiring, 'db' | 'clock' | 'log'>): Loop =>
  loop({
    name: 'finished issues',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'finished issues could not be looked at; trying again',
    round: (goOn) => finishIssues(wiring, goOn),
  });
