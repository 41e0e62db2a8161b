import { suppressedAmong } from '#features/suppressions';
import { mailboxOf } from '#mail/addresses/stored-mailbox.ts';
import { inTransaction } from '#platform/db/database.ts';
import { buttonMail, localeOf } from '#features/reader-pages';
import { say } from '#platform/pages/say-text.ts';
import { confirmationSenderOf } from '../../settings/sender-of-newsletter.ts';
import { countAskedMail } from '../../subscribers/confirmation/confirmation-limits.ts';
import { queueSystemMail } from '../../subscribers/confirmation/system-mail.ts';
import { linkUrl, signLink } from '../../link-token.ts';
import { addressHashOf, type Linked } from './linked.ts';

/** As long as the link in it; the token says the same. */
const DATA_LINK_HOURS = 24;

/**
 * Sends the link by which somebody takes away or removes what is on record about them, to the address itself: a mail
 * with a link to the preferences may have been forwarded, and its links work for ever. False: nothing can be sent to
 * the address (suppressed), or by this newsletter. Throws 429 when the address has been sent enough.
 */
export async function sendDataLink(
  { ctx, link, newsletter, subscriber }: Linked,
  { workspaceName }: { workspaceName: string },
): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    const within = { ...ctx, db: tx };
    const sender = await confirmationSenderOf(within, newsletter);
    if (sender === null || sender.sendingStop !== null) return false;
    if ((await suppressedAmong(tx, ctx.workspaceId, [subscriber.email])).has(subscriber.email)) return false;
    await countAskedMail(within, subscriber.email);
    const at = ctx.clock.now();
    const { workspaceId, newsletterId, subscriberId } = link;
    const addressHash = addressHashOf(ctx.secrets, subscriber.email);
    const claims = { workspaceId, newsletterId, subscriberId, addressHash };
    const token = await signLink(ctx.secrets, 'nl_data', claims, at);
    const { language, messages } = localeOf(newsletter.language);
    const { dataMail: texts, confirmationMail } = messages;
    const body = buttonMail(newsletter, language, {
      subject: say(texts.subject, { workspace: workspaceName }).replace(/[\r\n]+/g, ' '),
      preheader: texts.preheader,
      title: texts.title,
      text: say(texts.text, { workspace: workspaceName }),
      button: texts.button,
      url: linkUrl(ctx.settings.dashboardUrl, 'nl_data', token),
      linkHint: confirmationMail.linkHint,
      notes: `${say(texts.expiry, { hours: DATA_LINK_HOURS })} ${texts.ignore}`,
    });
    await queueSystemMail(within, {
      subscriber,
      to: mailboxOf({ address: subscriber.email, name: null }),
      sender,
      body,
      expiresAt: new Date(at.getTime() + DATA_LINK_HOURS * 3_600_000),
    });
    return true;
  });
}
