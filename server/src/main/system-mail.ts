import { htmlToText } from '#mail/message/html-to-text.ts';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { findSenderDomain, SANDBOX_DOMAIN } from '#features/domains';
import { acceptSend, plainContent } from '#features/outbox';
import type { SendSystemMail } from '#features/workspaces';
import { findHomeWorkspaceId } from './instance/queries.ts';

/**
 * Mail of the system itself: password resets, invitations. It belongs to the home workspace, leaves in the system lane
 * before anything a customer sends, and is shown to no reader of logs (its links sign people in). The sender is the
 * first instance domain, or the sandbox domain while there is none.
 */
export function createSystemMail(): SendSystemMail {
  return async (ctx, mail) => {
    const workspaceId = await findHomeWorkspaceId(ctx.db);
    const home = { ...ctx, workspaceId };
    const from = ctx.settings.senderDomains[0] ?? SANDBOX_DOMAIN;
    const domain = await findSenderDomain(home, from);
    if (domain === undefined) throw new Error(`the home workspace cannot send from ${from}`);
    await acceptSend(home, {
      source: 'system',
      lane: 'system',
      content: plainContent({
        from: parseMailbox(`Posthorn <posthorn@${domain.domain}>`),
        domain,
        subject: mail.subject,
        html: mail.html,
        text: mail.text === '' ? htmlToText(mail.html) : mail.text,
        attachments: [],
      }),
      recipients: [parseMailbox(mail.to)],
      expiresAt: null,
      sandbox: false,
      apiKey: null,
      takes: [],
    });
  };
}
