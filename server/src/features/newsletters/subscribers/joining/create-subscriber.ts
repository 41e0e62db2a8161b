import { readDeclared } from '#features/consents';
import type { Static } from 'typebox';
import type { Newsletter } from '../../newsletter.ts';
import { type SignedUp, signUp } from './sign-up.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { readName } from '#platform/pages/typed-name.ts';
import { requireProof } from './read-subscriber-fields.ts';
import { checkMetadata } from './subscriber-input.ts';
import type { CreateSubscriberBody } from '../schemas.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/**
 * Signs somebody up for a caller of the API. Throws what `signUp` throws, 422 for a confirmation skipped unproven and
 * for a consent of the future (param `consent.at`), and 400 for an address of a network that is none (param
 * `consent.ip`).
 */
export async function createSubscriber(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
  input: Static<typeof CreateSubscriberBody>,
): Promise<SignedUp> {
  const email = readAddress(input.email);
  const metadata = input.metadata ?? {};
  checkMetadata(metadata);
  const { consent } = input;
  requireProof(input);
  const { evidence, agreedAt } = readDeclared(consent, ctx.clock.now());
  return signUp(ctx, newsletter, {
    email,
    name: readName(input.name),
    source: readName(input.source),
    metadata,
    evidence,
    ...(agreedAt === undefined ? {} : { signedUpAt: agreedAt }),
    via: 'api',
    resubscribe: input.resubscribe === true,
    skipConfirmation: input.skip_confirmation === true,
    ...(consent === undefined ? {} : { consent }),
  });
}
