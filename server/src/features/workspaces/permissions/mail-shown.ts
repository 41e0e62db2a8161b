import type { Actor } from '#platform/http/context.ts';
import { isWithinLimit, newslettersOfKey } from './key-limits.ts';
import { maySeeSystemMail } from './may-see-system-mail.ts';

/** Which mail of its workspace a caller is shown, besides what belongs to nobody in particular. */
export interface MailShown {
  /** Mail of the system itself (password resets). */
  withSystemMail: boolean;
  /** Newsletters whose mail is shown; empty: all. */
  newsletterIds: readonly string[];
}

/**
 * A key that is limited to some newsletters reads the mail of these and what belongs to no newsletter, in whatever list
 * and under whatever id it asks: the mail of another list names its subscribers.
 */
export const mailShownTo = (actor: Actor): MailShown => ({
  withSystemMail: maySeeSystemMail(actor),
  newsletterIds: newslettersOfKey(actor),
});

/** Whether a caller is shown this mail. Mail that the caller may not see appears not to exist. */
export function maySeeMail(actor: Actor, mail: { source: string | null; newsletterId: string | null }): boolean {
  const { withSystemMail, newsletterIds } = mailShownTo(actor);
  if (mail.source === 'system') return withSystemMail;
  return mail.newsletterId === null || isWithinLimit(newsletterIds, mail.newsletterId);
}
