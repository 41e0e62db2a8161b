import type { Static } from 'typebox';
import { judgeDeclared } from '#features/consents';
import { readAddress } from '#mail/addresses/read-address.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import type { ChangeSubscriberBody, CreateSubscriberBody } from '../schemas.ts';
import { checkMetadata } from './subscriber-input.ts';

export const readNewSubscriber = readEach<typeof CreateSubscriberBody>(
  { email: (email) => readAddress(email), metadata: checkMetadata, consent: judgeDeclared },
  [{ of: ['skip_confirmation', 'consent'], check: requireProof }],
);
export const readSubscriberChange = readEach<typeof ChangeSubscriberBody>(
  { email: (email) => readAddress(email), metadata: checkMetadata, consent: judgeDeclared },
  [{ of: ['consent', 'email'], check: requireEmailBeside }],
);

/** Throws 422 for a consent that belongs to no change of the address. */
export function requireEmailBeside({ email, consent }: Static<typeof ChangeSubscriberBody>): void {
  if (consent !== undefined && email === undefined) {
    throw unacceptable('consent', 'consent belongs to a change of email.');
  }
}

/** Throws 422 for a confirmation that is skipped without a word about how the person agreed. */
export function requireProof({
  skip_confirmation,
  consent,
}: Pick<Static<typeof CreateSubscriberBody>, 'skip_confirmation' | 'consent'>): void {
  if (skip_confirmation === true && !Object.values(consent ?? {}).some((value) => value != null)) {
    throw unacceptable('consent', 'To skip the confirmation, describe in consent how the person agreed.');
  }
}
