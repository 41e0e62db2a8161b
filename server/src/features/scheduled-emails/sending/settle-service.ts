import { emailRecords } from '#features/outbox';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { lockProcessing, lookLater, type LookedAtEmail, markSettled, type Settled } from '../queries/settling.ts';
import { TARGET_TYPE } from '../reading/read-scheduled.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { publishFailed } from './scheduled-events.ts';

const EVERY_MS = 500;
const PAGE = 100;

type SendOutcome = Awaited<ReturnType<typeof emailRecords.outcomesOfSends>>[number];
type Wiring = Pick<ScheduledWiring, 'db' | 'clock' | 'log' | 'audit'>;

/**
 * Settles the scheduled emails of which nothing waits any more: `sent` when the provider has taken one of them, else
 * `failed`, told once. Returns how many.
 */
export async function settleProcessing(wiring: Wiring, goOn: () => boolean = () => true): Promise<number> {
  let settled = 0;
  for (let found = PAGE; found === PAGE && goOn(); ) {
    const done = await settlePage(wiring);
    found = done.found;
    settled += done.settled;
  }
  return settled;
}

const settlePage = ({ db, audit }: Wiring): Promise<{ found: number; settled: number }> =>
  inTransaction(db, async (tx) => {
    const page = await lockProcessing(tx, PAGE);
    if (page.length === 0) return { found: 0, settled: 0 };
    const outcomes = new Map((await emailRecords.outcomesOfSends(tx, page)).map((one) => [one.sendId, one]));
    const judged = page.map((row) => ({ ...row, outcome: outcomes.get(row.sendId) }));
    const waiting = judged.filter(({ outcome }) => outcome !== undefined && outcome.waiting > 0);
    const settled = judged.filter((one) => !waiting.includes(one)).map(settledOf);
    if (waiting.length > 0) await lookLater(tx, waiting);
    if (settled.length === 0) return { found: page.length, settled: 0 };
    const at = await markSettled(tx, settled);
    await publishFailed(tx, settled.flatMap(failedOf));
    onCommit(tx, () => {
      for (const one of settled) {
        const by = { workspaceId: one.workspaceId, actor: systemActor, ip: null };
        audit.record(by, { ...entryOf(one), targetType: TARGET_TYPE, targetId: one.id, at });
      }
    });
    return { found: page.length, settled: settled.length };
  });

type SettledRow = LookedAtEmail & Settled;

function settledOf({ outcome, ...row }: LookedAtEmail & { outcome: SendOutcome | undefined }): SettledRow {
  const { firstSentId = null, fromDomain = null } = outcome ?? {};
  if (firstSentId !== null && fromDomain !== null) {
    return { ...row, messageId: messageIdOf(firstSentId, fromDomain), error: null, errorCode: null };
  }
  const { code, message } = faultOf(outcome);
  return { ...row, messageId: null, error: message, errorCode: code };
}

function faultOf(outcome: SendOutcome | undefined): { code: string; message: string } {
  if (outcome === undefined || outcome.error !== null) {
    return { code: 'provider', message: outcome?.error ?? 'Its emails are not there any more.' };
  }
  if (outcome.suppressed > 0) return { code: 'suppressed', message: 'Every address is on the suppression list.' };
  if (outcome.cancelled > 0) return { code: 'cancelled', message: 'Its emails were cancelled before they left.' };
  return { code: 'provider', message: 'Its emails are not there any more.' };
}

const failedOf = (row: SettledRow) =>
  row.error === null ? [] : [{ ...row, fault: { message: row.error, code: row.errorCode ?? 'provider' } }];

const entryOf = ({ messageId, error }: SettledRow) =>
  error === null ? { action: 'sent', details: { message_id: messageId } } : { action: 'failed', details: { error } };

export const createSettleService = (wiring: Wiring): Loop =>
  loop({
    name: 'sent scheduled emails',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'scheduled emails that are being sent could not be looked at; trying again',
    round: (goOn) => settleProcessing(wiring, goOn),
  });
