import type { Static } from 'typebox';
import { recordSimulated, type SimulatedByPerson } from '#features/feedback';
import { AppError, conflict, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireEmail } from '../records/get-email.ts';
import { parseMessage } from '../read-message.ts';
import { requireCaptured } from './captured-emails.ts';
import { linksOf, seesOpens } from './links.ts';
import type { CapturedRow } from './queries.ts';
import type { SimulateBody } from './schemas.ts';

type Input = Static<typeof SimulateBody>;
type ProviderOutcome = Exclude<Input['outcome'], 'open' | 'click'>;

export interface SimulatePorts {
  /** The event of a provider about one recipient, given by main from the capture provider. */
  simulatedEvent(
    outcome: ProviderOutcome,
    recipient: string,
    at: Date,
    taken: Date,
  ): { type: 'delivery' | 'bounce' | 'complaint' | 'reject' | 'delivery_delay'; payload: Record<string, unknown> };
}

/** Stores an event of a captured message, to be applied like one that a provider reports. */
export async function simulate(ctx: Ctx, ports: SimulatePorts, id: string, input: Input) {
  const row = await requireCaptured(ctx, id);
  if (!ctx.settings.providerUrl.startsWith('capture:')) {
    throw conflict('This server delivers mail: outcomes are simulated only with the provider "capture".');
  }
  await requireKept(ctx, row);
  const recipients = recipientsOf(row, input.recipient);
  await recordSimulated(ctx.db, await eventsOf(ctx, ports, row, input, recipients));
  return { success: true, id, email_id: row.emailId, outcome: input.outcome, recipients };
}

async function requireKept(ctx: Ctx, { emailId }: CapturedRow): Promise<void> {
  try {
    await requireEmail(ctx, emailId);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'not_found_error') throw error;
    throw conflict('The email of this message is no longer kept, so that nothing can happen to it.');
  }
}

function recipientsOf({ to }: CapturedRow, asked: string | undefined): string[] {
  if (asked === undefined) return to;
  const found = to.filter((one) => one.toLowerCase() === asked.trim().toLowerCase());
  if (found.length === 0) throw invalid('recipient', 'recipient must be an address of `to` of this message');
  return found;
}

async function eventsOf(
  ctx: Ctx,
  { simulatedEvent }: SimulatePorts,
  row: CapturedRow & { mime: Buffer },
  { outcome, link }: Input,
  recipients: readonly string[],
): Promise<SimulatedByPerson[]> {
  const at = ctx.clock.now();
  const of = { workspaceId: ctx.workspaceId, emailId: row.emailId, at };
  if (link !== undefined && outcome !== 'click') throw invalid('link', 'link is for the outcome "click" only');
  if (outcome !== 'open' && outcome !== 'click') {
    return recipients.map((recipient) => {
      const { type, payload } = simulatedEvent(outcome, recipient, at, row.capturedAt);
      return { ...of, recipient, type, payload };
    });
  }
  const { html = '' } = await parseMessage(row.mime);
  const visitor = { userAgent: 'Posthorn simulator', ipAddress: ctx.ip };
  if (outcome === 'click')
    return [{ ...of, ...visitor, recipient: '', type: outcome, link: targetOf(ctx, html, link) }];
  if (!seesOpens(ctx, html)) throw conflict('This email does not track opens: no one would be seen.');
  return [{ ...of, ...visitor, recipient: '', type: outcome, link: '' }];
}

function targetOf(ctx: Ctx, html: string, asked: string | undefined): string {
  const tracked = linksOf(ctx, html).filter((one) => one.tracked);
  const found = tracked.find(({ url }) => asked === undefined || url === asked);
  if (found !== undefined) return found.url;
  if (tracked.length === 0) throw conflict('This email has no tracked link: no click would be seen.');
  throw invalid('link', 'link must be the url of a tracked link of this message');
}
