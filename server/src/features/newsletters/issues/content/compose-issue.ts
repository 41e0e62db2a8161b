import type { AcceptedContent, PersonalContent } from '#features/outbox';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Issue } from '../issue.ts';

/** What composing needs of its caller's ctx or wiring. */
export interface Composing {
  readonly db: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
}

/** What of an issue can be composed: also one that is only being written. */
export type IssueContent = Pick<Issue, 'id' | 'slug' | 'subject' | 'preheader' | 'htmlBody' | 'textBody'>;

/** An issue as it is stored once for all its recipients. */
export interface ComposedIssue {
  content: AcceptedContent;
  personal: PersonalContent;
}

/**
 * Composes an issue, or throws why it cannot be sent: `from_email` when the newsletter has no sender that may send,
 * `html_body`, `text_body`, `subject` or `preheader` for what is missing, too large, not acceptable or no good template.
 */
export async function composeIssue(
  _composing: Composing,
  _newsletter: Newsletter,
  _issue: IssueContent,
): Promise<ComposedIssue> {
  throw new Error('not built yet');
}
