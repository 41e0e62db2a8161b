import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { EmailProvider, Gate, OutgoingMessage, Verdict } from '../email-provider.ts';
import { ConnectionPool } from './connection-pool.ts';
import { judgeFailure, queueIdOf } from './judge-reply.ts';
import { SmtpFailure } from './smtp-failure.ts';
import type { SmtpSession } from './smtp-session.ts';
import type { SmtpSettings } from './smtp-settings.ts';

export interface SmtpProviderOptions {
  log: Log;
  clock?: Clock;
  /** Certificates to believe besides the system's; PEM. */
  ca?: string | Buffer;
  /** How long a connection is kept without work; 8 s. */
  idleMs?: number;
}

type Outcome = { verdict: Verdict } | { retry: true; failure: SmtpFailure };

/** Mail through an SMTP server, over connections that are kept open. */
export function createSmtpProvider(settings: SmtpSettings, options: SmtpProviderOptions): EmailProvider {
  const clock = options.clock ?? systemClock;
  const pool = new ConnectionPool({ ...options, settings, clock });
  const trouble = createTroubleLog(options.log, `${settings.host}:${settings.port}`);

  const attempt = async (
    message: OutgoingMessage,
    { untilMs, gate, mayRetry }: { untilMs: number; gate: Gate | undefined; mayRetry: boolean },
  ): Promise<Outcome> => {
    let session: SmtpSession;
    try {
      session = await pool.acquire(untilMs);
    } catch (error) {
      const failure = failureFrom(error);
      if (gate !== undefined && failure.isBusy) return notBegun(failure.response);
      return { verdict: trouble.note(failure) };
    }
    const reused = session.messages > 0;
    const answerBy = gate === undefined ? untilMs : await gate.mayBegin();
    if (answerBy === null || (gate !== undefined && clock.monotonicMs() >= answerBy)) {
      pool.release(session);
      return notBegun('the message was withdrawn before it began');
    }
    try {
      const info = await session.deliver(message, answerBy, gate?.isOnRecord);
      pool.release(session);
      trouble.over();
      return { verdict: acceptedBy(info) };
    } catch (error) {
      const failure = failureFrom(error);
      void giveBack(session, failure); // the answer does not wait for tidying up
      if (reused && mayRetry && wasDead(failure)) {
        pool.dropIdle();
        return { retry: true, failure };
      }
      return failure.withdrawn ? notBegun(failure.response) : { verdict: judgeFailure(failure) };
    }
  };

  const giveBack = async (session: SmtpSession, failure: SmtpFailure): Promise<void> => {
    // A refused envelope leaves the server with half a transaction; after a reply to the message there is none.
    const clean = failure.stage === 'body' || failure.impossible;
    if (!session.dead && !clean && !(await session.reset())) session.destroy();
    pool.release(session);
  };

  return {
    name: 'smtp',
    capacity: settings.connections,
    start: () => Promise.resolve(pool.start()),
    stop: () => pool.stop(),
    async send(message, { deadlineMs, gate }) {
      const asked = { untilMs: clock.monotonicMs() + deadlineMs, gate };
      const first = await attempt(message, { ...asked, mayRetry: true });
      if ('verdict' in first) return first.verdict;
      const second = await attempt(message, { ...asked, mayRetry: false });
      return 'verdict' in second ? second.verdict : judgeFailure(second.failure);
    },
  };
}

/** The gate said no, or the server is well and only busy: it is nobody's attempt. */
const notBegun = (response: string): Outcome => ({ verdict: { kind: 'not-begun', response } });

function acceptedBy({ response, rejectedErrors = [] }: SMTPConnectionSendInfo): Verdict {
  const taken = { kind: 'accepted', providerMessageId: queueIdOf(response), response } as const;
  const refusedRecipients = rejectedErrors.map((refusal) => ({
    address: refusal.recipient ?? '',
    response: refusal.response ?? refusal.message,
  }));
  return refusedRecipients.length === 0 ? taken : { ...taken, refusedRecipients };
}

/**
 * A kept connection that the server had ended meanwhile: lost, or answered 421 (RFC 5321 §3.8), before it asked for
 * the message. Nothing was taken, so another connection may try at once. A 421 that says we are too fast stands.
 */
function wasDead(failure: SmtpFailure): boolean {
  if (failure.stage === 'body') return false;
  const closing = failure.replied && failure.response.startsWith('421');
  if (!closing && (failure.replied || !failure.lost)) return false;
  const verdict = judgeFailure(failure);
  return verdict.kind === 'temporary' && !verdict.throttled;
}

/** Anything else than SmtpFailure is a mistake of ours, met at an unknown moment: assume the worst. */
const failureFrom = (error: unknown): SmtpFailure =>
  error instanceof SmtpFailure
    ? error
    : new SmtpFailure({
        stage: 'body',
        response: error instanceof Error ? error.message : String(error),
        replied: false,
        allSent: true,
      });

/** Says once that the server does not let us in, and once that it does again, not with every message. */
function createTroubleLog(log: Log, server: string) {
  let known: string | undefined;
  return {
    note(failure: SmtpFailure): Verdict {
      const verdict = judgeFailure(failure);
      const kind = `${failure.stage} ${verdict.kind === 'temporary' ? verdict.code : ''}`;
      if (known !== kind && failure.lost) {
        known = kind;
        log.error({ server, stage: failure.stage, response: failure.response }, 'the mail server does not let us in');
      }
      return verdict;
    },
    over(): void {
      if (known === undefined) return;
      known = undefined;
      log.info({ server }, 'the mail server takes mail again');
    },
  };
}
