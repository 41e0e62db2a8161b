import { emailRecords } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { NO_DIMENSIONS, NO_FILTER } from './counts-asked.ts';
import { NO_COUNTS, rateOf } from './rates.ts';

const WINDOW_DAYS = 7;
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/** Amazon SES reviews accounts at 5 % of permanent bounces or 0.1 % of complaints, and pauses them at the double. */
const BOUNCES_MAX = 0.05;
const COMPLAINTS_MAX = 0.001;
/** Under these a handful of emails decides. */
const WARNING_MIN = 100;
const PAUSED_MIN = 500;

/** How the mail of the last seven days was received, as a provider judges it. */
export async function readHealth(ctx: Ctx) {
  const end = Math.ceil((ctx.clock.now().getTime() + 1) / QUARTER_MS) * QUARTER_MS;
  const [row = NO_COUNTS] = await emailRecords.counts.sum(ctx.db, {
    workspaceId: ctx.workspaceId,
    bounds: [new Date(end - WINDOW_DAYS * DAY_MS), new Date(end)],
    by: NO_DIMENSIONS,
    filter: { ...NO_FILTER, withSystemMail: true, newsletterIds: [] },
    limit: 1,
  });
  return judge({
    sent: row.sent,
    delivered: row.delivered,
    bounced: row.bounced_permanent,
    complained: row.complained,
  });
}

interface Fates {
  sent: number;
  delivered: number;
  /** For good. */
  bounced: number;
  complained: number;
}

export function judge({ sent, delivered, bounced, complained }: Fates) {
  const rates = [
    {
      of: sent,
      part: bounced,
      limit: BOUNCES_MAX,
      said: `of the ${sent} emails sent in the last 7 days bounced for good`,
    },
    {
      of: delivered,
      part: complained,
      limit: COMPLAINTS_MAX,
      said: `of the ${delivered} emails delivered in the last 7 days were marked as spam`,
    },
  ];
  const over = sent < WARNING_MIN ? [] : rates.filter(({ of, part, limit }) => part > of * limit);
  const isPaused = sent >= PAUSED_MIN && over.some(({ of, part, limit }) => part > of * limit * 2);
  return {
    bounce_rate: rateOf(bounced, sent),
    complaint_rate: rateOf(complained, delivered),
    window_days: WINDOW_DAYS,
    sent,
    status: isPaused ? 'paused' : over.length > 0 ? 'warning' : 'ok',
    reasons: over.map(
      ({ of, part, limit, said }) =>
        `${part} ${said} (${percent(part / Math.max(1, of))}). The limit is ${percent(limit)}; providers pause ` +
        `accounts at ${percent(limit * 2)}.`,
    ),
  };
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
