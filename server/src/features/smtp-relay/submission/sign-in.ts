import type { RefusedKey } from '#features/api-keys';
import type { Clock } from '#platform/clock.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import type { SubmissionPeer } from '#platform/smtp/submission-rules.ts';
import type { RelaySessionLog } from '../sessions/session-log.ts';
import type { WrongLogins } from '../sessions/wrong-logins.ts';
import type { RelayUser } from './relay-user.ts';

export interface SignInWiring {
  clock: Clock;
  signInWithKey(key: string, ip: string): Promise<Actor | RefusedKey>;
  wrongLogins: WrongLogins;
  sessionLog: RelaySessionLog;
}

const SCOPE = 'emails:send';
/** A network that tries many keys waits so long for each answer. A right key is never made to wait. */
const SLOW_ANSWER_MS = 3_000;

/** The caller behind a password, which is an API key. */
export async function signIn(wiring: SignInWiring, peer: SubmissionPeer, key: string): Promise<RelayUser> {
  const outcome = await wiring.signInWithKey(key, peer.address);
  if (!('refusal' in outcome)) return userOf(wiring, peer, outcome, key);
  const refusal = new SmtpReply(535, outcome.refusal.message, '5.7.8');
  if (outcome.key !== null) wiring.sessionLog.refusedSignIn(outcome.key, peer, refusal);
  else if (await wiring.wrongLogins.areTooMany(peer.address)) await wiring.clock.sleep(SLOW_ANSWER_MS);
  throw refusal;
}

function userOf({ sessionLog }: SignInWiring, peer: SubmissionPeer, actor: Actor, key: string): RelayUser {
  const { apiKey } = actor;
  if (apiKey === null) throw new Error('a key is nobody');
  const why = whyNot(actor);
  if (why === undefined) return { actor, workspaceId: apiKey.workspaceId, key };
  const refusal = new SmtpReply(535, why, '5.7.8');
  sessionLog.refusedSignIn(apiKey, peer, refusal);
  throw refusal;
}

function whyNot(actor: Actor): string | undefined {
  try {
    return actor.may(SCOPE) ? undefined : `This key needs the scope "${SCOPE}".`;
  } catch (error) {
    if (error instanceof AppError) return error.message; // the workspace is blocked
    throw error;
  }
}
