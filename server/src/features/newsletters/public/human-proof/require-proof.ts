import { invalid, unacceptable, unavailable } from '#platform/errors/app-error.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Log } from '#platform/log.ts';
import type { SafeAnswer, SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { humanProofOf, type ProofService, type ProofSettings } from './proof-services.ts';

export type ProofFields = { [Field in ProofService['field']]?: string | null | undefined };

interface ProofPorts {
  settings: ProofSettings & Pick<Settings, 'humanProofSecret' | 'humanProofUrl'>;
  log: Log;
  safeFetch: SafeFetch;
}

/** Somebody waits for the answer. */
const TIMEOUT_MS = 3_000;
const ANSWER_BYTES_MAX = 16_384;
/** Refusals that are about us and not about the person: a wrong key, or a service that fails. */
const OUR_FAULT = /secret|sitekey|bad-request|internal-error/;

/**
 * Requires the proof that a person asks, when the settings name a service. A proof counts once. The network address of
 * the person is not passed on. Without an answer of the service nobody can sign up: otherwise a flood that makes the
 * service slow would need no proof. Throws, naming the field of the proof:
 * - 400: it is missing.
 * - 422: the service refuses it.
 * - 503: the service did not answer, or refuses our keys.
 */
export async function requireProof({ settings, log, safeFetch }: ProofPorts, fields: ProofFields): Promise<void> {
  const proof = humanProofOf(settings);
  if (proof === null) return;
  const { field, verifyAt } = proof.service;
  const token = fields[field] ?? '';
  if (token === '') throw invalid(field, `${field} is missing: the proof of a person, which the widget adds.`);
  const answered = await safeFetch.request(settings.humanProofUrl ?? verifyAt, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret: settings.humanProofSecret ?? '', response: token }).toString(),
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
    onBehalfOf: 'proof of a human',
  });
  const verdict = verdictOf(answered);
  if (verdict === 'human') return;
  if (verdict === 'refused') throw unacceptable(field, `${field} does not count: it is wrong, used or too old.`);
  log.warn({ service: proof.name, reason: verdict.failure }, 'a proof could not be verified, so a sign-up was refused');
  throw unavailable('Sign-up is not possible just now. Try again later.');
}

function verdictOf(answered: SafeAnswer): 'human' | 'refused' | { failure: string } {
  if (answered.kind !== 'answered') return { failure: answered.reason };
  const said = readAnswer(answered.body);
  if (said === undefined) return { failure: `status ${answered.status} without a verdict` };
  if (said.success) return 'human';
  return OUR_FAULT.test(said.codes) ? { failure: said.codes } : 'refused';
}

/** Undefined for anything but an answer of the protocol. The secret and the token are in no answer. */
function readAnswer(body: Buffer): { success: boolean; codes: string } | undefined {
  try {
    const { success, 'error-codes': codes = [] } = JSON.parse(body.toString('utf8'));
    return typeof success === 'boolean' ? { success, codes: String(codes).slice(0, 200) } : undefined;
  } catch {
    return undefined;
  }
}
