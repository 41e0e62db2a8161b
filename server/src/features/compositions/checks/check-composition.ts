import { stopSentence } from '#platform/errors/sending-stopped.ts';
import { domainCapProblem } from '#features/domains';
import { checkContent } from '#mail/list-mail/content-checks.ts';
import type { Finding } from '#mail/list-mail/finding.ts';
import { fillTrackedHtml, prepareTrackedHtml } from '#mail/tracking/tracked-html.ts';
import type { Settings } from '#platform/config/settings.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { composeTexts } from '../compose.ts';
import type { Composition, Reader, Sender } from '../composition.ts';
import { madeUpReader } from '../made-up-readers.ts';
import { NO_DOMAIN } from '../preview.ts';
import { renderFor } from '../render-for.ts';
import { checkPostalAddress, checkPublicUrl } from './check-surroundings.ts';
import { checkVariables } from './check-variables.ts';

/**
 * Of a reader's own links, about. The link of a contact carries the address that it is mailed to (decision 0154), here
 * of some 30 characters; the link of a subscriber is 80 characters shorter.
 */
export const LINK_TOKEN_CHARS = 400;

type Checking = Pick<Ctx, 'db' | 'workspaceId' | 'settings' | 'clock'>;

/**
 * Everything that could be wrong with mail to many before it is sent, but for its recipients, of whom `willSend` would
 * get it. An `error` is what sending would be refused for; a `warning` is for its sender to judge, and stops nothing.
 * `sender`: or the reason why there is none. `sample`: readers whose metadata has records in it, of whom a template may
 * not have thought.
 */
export async function checkComposition(
  ctx: Checking,
  composition: Composition,
  { sender, willSend, sample }: { sender: Sender | AppError; willSend: number; sample: readonly Reader[] },
): Promise<Finding[]> {
  return [
    ...(await checkSender(ctx, sender, willSend)),
    ...(await checkTexts(ctx.settings, composition)),
    await checkVariables(composition, sample),
    checkPostalAddress(composition),
    checkPublicUrl(ctx.settings),
  ];
}

async function checkSender(ctx: Checking, sender: Sender | AppError, willSend: number): Promise<Finding[]> {
  if (sender instanceof AppError) return [{ id: 'sender', level: 'error', message: sender.message }];
  const findings: Finding[] = [
    sender.sendingStop === null
      ? { id: 'sender', level: 'ok', message: `It comes from ${sender.from.address}.` }
      : { id: 'sender', level: 'error', message: stopSentence(sender.sendingStop) },
  ];
  const capped = await domainCapProblem(ctx.db, ctx.workspaceId, sender.domain, willSend, ctx.clock.now());
  if (capped !== undefined) findings.push({ id: 'domain_limit', level: 'warning', message: capped });
  return findings;
}

/** Composed as it would be sent; what that refuses is the error, and there is nothing to look at then. */
async function checkTexts(settings: Settings, composition: Composition): Promise<Finding[]> {
  try {
    const composed = await composeTexts(composition, NO_DOMAIN);
    const links = composition.deadLinks('x'.repeat(LINK_TOKEN_CHARS));
    const rendered = await renderFor(composition, composed, madeUpReader, links);
    const bytes = bytesSent(settings, composition, rendered.html);
    return [
      { id: 'body', level: 'ok', message: 'It can be made for people with and without a name.' },
      { id: 'unsubscribe', level: 'ok', message: 'The link to unsubscribe is seen in the HTML and in the text.' },
      ...checkContent(rendered, { written: composition.written.html, bytes, ownUrl: settings.publicUrl }),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ id: error.extras.param ?? 'body', level: 'error', message: error.message }];
  }
}

/** Tracking makes links longer, and mail of many links by a third. */
function bytesSent({ publicUrl, dashboardUrl }: Settings, { tracking, list }: Composition, html: string): number {
  const tracked = prepareTrackedHtml(html, { ...tracking, baseUrl: publicUrl, ownUrls: [dashboardUrl] });
  const nobody = { workspaceId: list.workspaceId, emailId: list.id, contentId: list.id };
  return Buffer.byteLength(fillTrackedHtml(tracked, nobody, { baseUrl: publicUrl, key: Buffer.alloc(32) }));
}
