import { unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../newsletter.ts';
import { type Evidence, noEvidence } from './evidence.ts';
import { type SignedUp, signUp } from './sign-up.ts';
import { checkMetadata, readAddress, readName } from './subscriber-input.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

/** What a caller with a key says of a new subscriber. */
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

/** Signs somebody up for a caller of the API. Throws what `signUp` throws, and 422 for a confirmation skipped unproven. */
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
  return signUp(ctx, newsletter, {
    email,
    name: readName(input.name),
    source: readName(input.source),
    metadata,
    evidence: evidenceOf(consent),
    via: 'api',
    resubscribe: input.resubscribe === true,
    skipConfirmation: input.skip_confirmation === true,
    ...(consent === undefined ? {} : { consent }),
  });
}

/** The request itself shows nothing: it comes from the caller's server. */
const evidenceOf = (consent: CreateSubscriber['consent']): Evidence => ({
  ...noEvidence,
  ip: consent?.ip ?? null,
  userAgent: consent?.user_agent ?? null,
  url: consent?.url ?? null,
  formVersion: consent?.form_version ?? null,
});
