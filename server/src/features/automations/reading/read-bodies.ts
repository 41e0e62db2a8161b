import { readAddress } from '#mail/addresses/read-address.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { requireOnePerson, requireSmall } from '../hearing/receive-event.ts';
import type { EventBody, StartRunBody } from './schemas.ts';

const readers = {
  email: (email: string): unknown => readAddress(email, 'email'),
  payload: (payload: Record<string, unknown>): unknown => requireSmall(payload),
};

export const readStartRun = readEach<typeof StartRunBody>(readers);
export const readEvent = readEach<typeof EventBody>(readers, [
  { of: ['email', 'contact_id'], check: requireOnePerson },
]);
