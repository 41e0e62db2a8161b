import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import { allNamedForNobody } from './for-nobody.ts';
import type { PageContext } from './page-context.ts';
import { type ArchivedIssue, pageOfArchive } from './queries.ts';

/** Enough to see what one subscribes to. */
const LATEST_ISSUES = 3;

/**
 * The newest issues of the archive, to show below the form and behind a sign-up. None where readers have no archive,
 * and none in a frame on another site.
 */
export async function latestIssues(db: Db, context: PageContext, newsletter: Newsletter): Promise<ArchivedIssue[]> {
  if (!newsletter.archiveEnabled || context.embedded !== null) return [];
  const latest = await pageOfArchive(db, newsletter, { limit: LATEST_ISSUES, offset: 0 });
  return allNamedForNobody(context, latest);
}
