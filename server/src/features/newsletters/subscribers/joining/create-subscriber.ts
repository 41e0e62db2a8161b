import { isIP } from 'node:net';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type Evidence, noEvidence } from '../consent/evidence.ts';
import { type SignedUp, signUp } from './sign-up.ts';
import { checkMetadata, readAddress, readName } from './subscriber-input.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/** The fields that a caller with a key gives for a new subscriber. */
export interface CreateSubscriber {
  email: string;
  name?: string | null;
  source?: string | null;
  metadata?: Record<string, unknown>;
  resubscribe?: boolean;
  skip_confirmation?: boolean;
  consent?: {
    ip?: string | null;
    user_agent?: string | null;
    url?: string | null;
    form_version?: string | null;
    at?: string | null;
    text?: string | null;
  };
}

/** By how much the clock of a caller may be ahead of ours. */
const CLOCK_MINUTES_MAX = 5;

/**
 * Signs somebody up for a caller of the API. Throws what `signUp` throws, 422 for a confirmation skipped unproven and
 * for a consent of the future (param `consent.at`), and 400 for an address of a network that is none (param
 * `consent.ip`).
 */
export async function createSubscriber(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
  input: CreateSubscriber,
): Promise<SignedUp> {
  const email = readAddress(input.email);
  const metadata = input.metadata ?? {};
  checkMetadata(metadata);
  const { consent } = input;
  if (input.skip_confirmation === true && !Object.values(consent ?? {}).some((value) => value != null)) {
    throw unacceptable('consent', 'To skip the confirmation, describe in consent how the person agreed.');
  }
  const signedUpAt = readConsentTime(consent?.at, ctx.clock.now());
  return signUp(ctx, newsletter, {
    email,
    name: readName(input.name),
    source: readName(input.source),
    metadata,
    evidence: evidenceOf(consent),
    ...(signedUpAt === undefined ? {} : { signedUpAt }),
    via: 'api',
    resubscribe: input.resubscribe === true,
    skipConfirmation: input.skip_confirmation === true,
    ...(consent === undefined ? {} : { consent }),
  });
}

/** The request itself shows nothing: it comes from the caller's server. */
const evidenceOf = (consent: CreateSubscriber['consent']): Evidence => ({
  ...noEvidence,
  ip: readIp(consent?.ip),
  userAgent: consent?.user_agent ?? null,
  url: consent?.url ?? null,
  formVersion: consent?.form_version ?? null,
});

function readIp(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  if (isIP(text) === 0) throw invalid('consent.ip', 'consent.ip must be an IPv4 or IPv6 address');
  return text;
}

function readConsentTime(text: string | null | undefined, now: Date): Date | undefined {
  if (text == null) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalid('consent.at', 'consent.at must be a time that exists');
  if (at.getTime() > now.getTime() + CLOCK_MINUTES_MAX * 60_000) {
    throw unacceptable('consent.at', 'consent.at is in the future. Give the time at which the person agreed.');
  }
  return at;
}
