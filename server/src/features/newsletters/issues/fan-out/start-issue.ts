import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Issue } from '../issue.ts';

/**
 * Opens the bulk send of an issue in the transaction that moves it to `sending`; freezing begins at its commit.
 * `expected` is how many are on the list now. Refuses (unacceptable) an issue that cannot be sent: no sender, no body.
 */
export async function startIssue(
  _tx: Db,
  _wiring: NewslettersWiring,
  _newsletter: Newsletter,
  _issue: Issue,
  _options: { sandbox: boolean },
): Promise<{ sendId: string; expected: number }> {
  throw new Error('not built yet');
}
