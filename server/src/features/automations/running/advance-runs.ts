import { requireSenderDomain } from '#features/emails';
import { acceptSends } from '#features/outbox';
import { templateForSend } from '#features/templates';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { reach } from '#platform/fault-points.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { AutomationsWiring } from '../wiring.ts';
import { isFinal, prepareEmail } from './automation-email.ts';
import { changeContacts } from './change-contacts.ts';
import { type Facts, loadFacts, personOf } from './facts.ts';
import { claimDueRuns, holdRuns, loadDefinitions, storeTurns } from './queries.ts';
import type { DueRun, NextPlace, Turn } from './run.ts';
import { publishFailures } from './run-events.ts';
import { type Walk, walk, withExit, withFailure, withSuccess } from './walk.ts';
import { type Mailing, waysOut } from './way-out.ts';

/** A call takes at most 10 s; a process that dies during one leaves it to another so long after. */
const LEASE_MS = 60_000;

/** A call to make after the commit. */
export interface Call {
  workspaceId: string;
  run: DueRun;
  lease: string;
  url: string;
  step: string;
}

export interface Advanced {
  /** Runs that were claimed. */
  claimed: number;
  calls: readonly Call[];
}

export interface Page {
  limit: number;
  /** Nothing later is due, whatever the clock of the database says. */
  until: Date;
  /** Only this run. */
  runId?: string;
  /** Calls that may begin now. */
  callsMax: number;
}

/**
 * Takes the next steps of a page of due runs of one workspace, in one transaction: emails are accepted, steps recorded
 * and the next due rows written together, or nothing is. An email of which a limit has no room is tried again later;
 * nothing of the other runs is undone by it.
 */
export async function advanceRuns(wiring: AutomationsWiring, workspaceId: string, page: Page): Promise<Advanced> {
  const advanced = await inTransaction(wiring.db, async (tx) => {
    const claimed = await claimDueRuns(tx, workspaceId, page);
    await reach('automations.advance.claimed');
    const runs = claimed.filter(({ mayGoOn }) => mayGoOn);
    const stopped = claimed.filter(({ mayGoOn }) => !mayGoOn);
    await holdRuns(
      tx,
      workspaceId,
      stopped.flatMap(({ runId, isTest }) => (isTest ? [] : [runId])),
    );
    const definitionOf = await loadDefinitions(tx, workspaceId, runs);
    const facts = await loadFacts(tx, workspaceId, runs.map(personOf(definitionOf)));
    const walks: { walk: Walk; facts: Facts }[] = [];
    for (const [index, run] of runs.entries()) {
      const known = facts[index];
      if (known === undefined) throw new Error('a run has no facts');
      walks.push({ walk: await walk(run, definitionOf(run).steps, known), facts: known });
    }
    const calls: Call[] = [];
    const turns = walks.flatMap((one) => takeCall(workspaceId, one.walk, calls, page.callsMax));
    const changed = await changeContacts(
      ctxOf(wiring, workspaceId, tx),
      walks.map(({ walk: one }) => one),
    );
    const mailed = await sendEmails(wiring, tx, workspaceId, walks);
    // A test is made for somebody who looks at it now.
    const ended = stopped.filter(({ isTest }) => isTest).map((run): Turn => ({ run, records: [], next: PAUSED }));
    const all = [...turns, ...changed, ...mailed, ...ended];
    await storeTurns(tx, workspaceId, all);
    await publishFailures(tx, workspaceId, all);
    await reach('automations.advance.before-commit');
    return { claimed: claimed.length, calls };
  });
  await reach('automations.advance.after-commit');
  return advanced;
}

const PAUSED = { status: 'exited', reason: 'workspace_paused' } as const;

/** Turns without an email: calls get a lease, and begin after the commit. */
function takeCall(workspaceId: string, one: Walk, calls: Call[], callsMax: number): Turn[] {
  const { run, effect, records, next } = one;
  if (effect === null) return [{ run, records, next }];
  if (effect.does.is !== 'call') return [];
  if (run.isTest) return [withSuccess(one, { skipped: 'a test calls nobody' }, true)];
  const isTurn = calls.length < callsMax;
  const lease = isTurn ? newId() : null;
  if (lease !== null) calls.push({ workspaceId, run, lease, url: effect.does.url, step: effect.step.key });
  const { attempts, failingSince, now } = run;
  const dueAt = new Date(now.getTime() + (isTurn ? LEASE_MS : 1_000));
  const waiting: NextPlace = {
    ...(next as NextPlace), // an effect stands at a place
    dueAt,
    attempts,
    failingSince,
    lease,
  };
  return [{ run, records, next: waiting }];
}

async function sendEmails(
  wiring: AutomationsWiring,
  tx: Db,
  workspaceId: string,
  walks: readonly { walk: Walk; facts: Facts }[],
): Promise<Turn[]> {
  const ctx = ctxOf(wiring, workspaceId, tx);
  const loadTemplate = memoized(templateForSend);
  const requireDomain = memoized(requireSenderDomain);
  const turns: Turn[] = [];
  const ready: { walk: Walk; send: Awaited<ReturnType<typeof prepareEmail>> }[] = [];
  const mailings = walks.flatMap(({ walk: one, facts }): Mailing[] => {
    const does = one.effect?.does;
    return does?.is === 'email' ? [{ walk: one, facts, config: does.config }] : [];
  });
  const wayOutOf = await waysOut(ctx, mailings);
  for (const { walk: one, facts, config } of mailings) {
    const { run } = one;
    const way = wayOutOf.get(one);
    if (way === undefined || 'wantsNone' in way) {
      turns.push(withExit(one, 'unsubscribed'));
      continue;
    }
    try {
      const asked = { config, facts, isTest: run.isTest, loadTemplate, requireDomain, ...way };
      ready.push({ walk: one, send: await prepareEmail(ctx, asked, run) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      turns.push(withFailure(one, error.message, isFinal(error)));
    }
  }
  if (ready.length === 0) return turns;
  const receipts = await acceptSends(
    ctx,
    ready.map(({ send }) => send),
  );
  await reach('automations.advance.accepted');
  return [
    ...turns,
    ...ready.map(({ walk: one, send }, index) => {
      const receipt = receipts[index];
      if (receipt === undefined || receipt instanceof Error) {
        return withFailure(one, receipt?.message ?? 'The email was not accepted.', false);
      }
      const [email] = receipt.emails;
      return withSuccess(one, {
        email_id: email?.id ?? null,
        status: email?.status ?? null,
        template_version: send.templateVersion ?? null,
      });
    }),
  ];
}

/** Every template and every sender is read once for a page, however many runs send it. */
function memoized<Asking, Asked, Loaded>(
  load: (ctx: Asking, asked: Asked) => Promise<Loaded>,
): (ctx: Asking, asked: Asked) => Promise<Loaded> {
  const loaded = new Map<string, Promise<Loaded>>();
  return (ctx, asked) => {
    const key = JSON.stringify(asked);
    const known = loaded.get(key) ?? load(ctx, asked);
    loaded.set(key, known);
    return known;
  };
}

/** Whatever a run does, it is done by nobody in particular. */
function ctxOf({ clock, log, settings, secrets }: AutomationsWiring, workspaceId: string, db: Db): Ctx {
  return { workspaceId, db, clock, log, settings, secrets, actor: systemActor, requestId: '', ip: '' };
}
