import { emailRecords } from '#features/outbox';

const { names } = emailRecords.counts;

export type Counts = Record<(typeof names)[number], number>;

export const countsOf = (row: Counts): Counts => {
  const { sent, delivered, opened, opened_machine, clicked, bounced, bounced_permanent, ...rest } = row;
  const { complained, unsubscribed, suppressed, failed, deferred } = rest;
  return {
    sent,
    delivered,
    opened,
    opened_machine,
    clicked,
    bounced,
    bounced_permanent,
    complained,
    unsubscribed,
    suppressed,
    failed,
    deferred,
  };
};

export const NO_COUNTS: Counts = countsOf({
  sent: 0,
  delivered: 0,
  opened: 0,
  opened_machine: 0,
  clicked: 0,
  bounced: 0,
  bounced_permanent: 0,
  complained: 0,
  unsubscribed: 0,
  suppressed: 0,
  failed: 0,
  deferred: 0,
});

export function addUp(rows: readonly Counts[]): Counts {
  const total = { ...NO_COUNTS };
  for (const row of rows) for (const name of names) total[name] += row[name];
  return total;
}

/**
 * A share, to four digits, and at most 1: each count is of its own time, so an hour can have more deliveries than
 * hand-offs.
 */
export const rateOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.max(0, Math.round((part / whole) * 10_000) / 10_000));

export const withRates = (row: Counts) => ({
  ...countsOf(row),
  delivery_rate: rateOf(row.delivered, row.sent),
  open_rate: rateOf(row.opened, row.delivered),
  click_rate: rateOf(row.clicked, row.delivered),
});
