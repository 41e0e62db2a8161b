import { seededRandom } from '../../harness/smtp-faults.ts';
import type { SendRequest } from './sending-client.ts';

const EXTRA_MAX = 1_000;

/** A whole number from `from` to `to`, both included. */
export const between = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/**
 * Requests for so many recipients, the same for the same seed: most are one send to one to four people, every fifth is
 * a batch of two sends. Each address is used once, so whoever gets two messages got one email twice.
 */
export function requestsFor(recipients: number, seed: number): SendRequest[] {
  const random = seededRandom(seed);
  const requests: SendRequest[] = [];
  let left = recipients;
  const people = (): string[] => {
    const count = Math.min(left, between(random, 1, 4));
    const addresses = Array.from({ length: count }, (_, index) => `r${left - index}.s${seed}@example.net`);
    left -= count;
    return addresses;
  };
  while (left > 0) {
    const sends = [people()];
    if (requests.length % 5 === 4 && left > 0) sends.push(people());
    requests.push({ key: `seed-${seed}-request-${requests.length}`, sends });
  }
  return requests;
}

/** Works the requests off with so many at once. */
export async function sendAll(
  requests: readonly SendRequest[],
  atOnce: number,
  send: (request: SendRequest) => Promise<unknown>,
): Promise<void> {
  const waiting = [...requests];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Goes on with requests to one person each until something has happened that more work brings about. */
export async function sendUntil(
  hasHappened: () => boolean,
  seed: number,
  send: (request: SendRequest) => Promise<unknown>,
): Promise<void> {
  for (let extra = 0; !hasHappened() && extra < EXTRA_MAX; extra += 1)
    await send({ key: `seed-${seed}-extra-${extra}`, sends: [[`extra${extra}.s${seed}@example.net`]] });
}
