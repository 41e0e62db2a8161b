import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { Loop } from '#platform/work/loop.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { listAwaitingFinish, markIssueFinished } from './finish-queries.ts';
import { publishIssueFinished } from './issue-events.ts';

const work: Parameters<typeof bulkSends.finish>[1] = {
  list: listAwaitingFinish,
  async finish(tx, { workspaceId, id }) {
    const issue = await markIssueFinished(tx, workspaceId, id);
    const newsletter = issue && (await selectNewsletter(tx, workspaceId, issue.newsletterId));
    if (issue === undefined || newsletter === undefined) return false;
    await publishIssueFinished(tx, newsletter, issue);
    return true;
  },
};

/** Finishes the issues of which nothing is pending any more. Returns how many. */
export const finishIssues = ({ db }: { db: Db }): Promise<number> => bulkSends.finish(db, work);

/** Sets `finished_at` of issues, and tells of it. */
export const createFinishService = (wiring: Pick<NewslettersWiring, 'db' | 'clock' | 'log'>): Loop =>
  bulkSends.finishService(wiring, { name: 'finished issues', ...work });
