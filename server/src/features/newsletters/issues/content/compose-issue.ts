import { type Composed, compose, countedLinks } from '#features/compositions';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireSenderOf } from '../../settings/sender-of-newsletter.ts';
import { type IssueContent, issueComposition } from './issue-composition.ts';

/** The dependencies of composing in its caller's ctx or wiring. */
export interface Composing {
  readonly db: Db;
  readonly settings: Settings;
}

/**
 * Composes an issue, with the links whose clicks are counted, or throws why it cannot be sent: `from_email` when the
 * newsletter has no sender that may send, and what is wrong with its texts.
 */
export async function composeIssue(
  composing: Composing,
  newsletter: Newsletter,
  issue: IssueContent,
): Promise<Composed & { links: string[] | null }> {
  const { settings } = composing;
  const sender = await requireSenderOf({ ...composing, workspaceId: newsletter.workspaceId }, newsletter);
  const composition = issueComposition(settings.dashboardUrl, newsletter, issue);
  return { ...(await compose(composition, sender)), links: countedLinks(composition, settings) };
}
