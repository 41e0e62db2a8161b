import { takesOfDomain } from '#features/domains';
import { type AcceptedSend, acceptSend } from '#features/outbox';
import { suppressedAmong } from '#features/suppressions';
import { requireKeyForDomain } from '#features/workspaces';
import { byName, leavingHeaders } from '#mail/list-mail/list-headers.ts';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import type { Ctx } from '#platform/http/context.ts';
import { compose } from './compose.ts';
import type { Composition, Sender } from './composition.ts';
import { madeUpReader, previewLinks } from './made-up-readers.ts';
import { renderFor } from './render-for.ts';
import { SUBJECT_CHARS_MAX } from './refuse-texts.ts';

// A test goes to any address that its sender names: enough for writing a mail, too few to mail people with.
const PER_HOUR = 30;
const PER_DAY = 100;
const HOUR_SECONDS = 3_600;

interface TestOf {
  to: Mailbox;
  sender: Sender;
  /** Not the mail itself, so that nothing of a test is part of its statistics. */
  origin: NonNullable<AcceptedSend['origin']>;
  /** The tests of this subject are counted, and those of the API key. */
  subject: string;
}

/**
 * Sends the mail to one address to look at: in its own lane, so that it comes at once, with the headers of the real
 * mail, with links to a page that changes nothing, not tracked, and counted in no statistic. 403 when the key may not
 * use the sender's domain or the workspace is paused, 422 for an address that is suppressed, 429 beyond 30 an hour and
 * 100 a day for the subject and for a key.
 */
export async function sendTest(
  ctx: Ctx,
  composition: Composition,
  { to, sender, origin, subject }: TestOf,
): Promise<{ to: string; emailId: string }> {
  const { content, personal } = await compose(composition, sender);
  requireKeyForDomain(ctx.actor, sender.domain, composition.names.sender);
  requireNotStopped(sender.sendingStop);
  const suppressed = await suppressedAmong(ctx.db, ctx.workspaceId, [to.identity]);
  if (suppressed.size > 0) throw unacceptable('to', 'This address is suppressed: it may not be mailed.');
  const now = ctx.clock.now();
  await countOrRefuse(ctx, limitsOf(ctx, subject), now);
  const texts = { subject: content.subject, html: content.html ?? '', text: content.text };
  const rendered = await renderFor(composition, { texts, personal }, { ...madeUpReader, email: to.identity });
  const receipt = await acceptSend(ctx, {
    source: 'test',
    lane: 'system',
    origin,
    content: {
      ...content,
      subject: `[Test] ${rendered.subject}`.slice(0, SUBJECT_CHARS_MAX).toWellFormed(),
      html: rendered.html,
      text: rendered.text,
      // Mail programs that press List-Unsubscribe of a test reach the page of a preview.
      headers: byName([...leavingHeaders(previewLinks(composition).unsubscribeUrl), ...personal.headers]),
      trackOpens: false,
      trackClicks: false,
    },
    recipients: [to],
    expiresAt: null,
    sandbox: ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    takes: takesOfDomain(ctx.workspaceId, sender.domain, 1, now),
  });
  const [email] = receipt.emails;
  if (email === undefined) throw new Error('a test was accepted without an email');
  return { to: to.identity, emailId: email.id };
}

function limitsOf({ actor }: Ctx, subject: string) {
  const subjects = actor.apiKey === null ? [subject] : [subject, `key ${actor.apiKey.id}`];
  return subjects.flatMap((one) => [
    { subject: `send-test hourly ${one}`, max: PER_HOUR, windowSeconds: HOUR_SECONDS },
    { subject: `send-test daily ${one}`, max: PER_DAY, windowSeconds: 24 * HOUR_SECONDS },
  ]);
}
