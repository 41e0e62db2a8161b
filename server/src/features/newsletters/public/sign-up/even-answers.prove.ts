/**
 * An answer must not tell by its time whether an address is on the list. 24 answers of each kind are compared by rank,
 * which takes a quarter of a minute.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestApp } from '../../../../../test/harness/app.ts';
import type { Newsletter } from '../../newsletter.ts';
import { aMember, aPublicApp, newsletterOf, subscribe } from '../test-kit.ts';

let free: TestApp;
let weekly: Newsletter;
before(async () => {
  free = await aPublicApp();
  weekly = await newsletterOf(free, { slug: 'weekly' });
});
after(() => free.close());

test('200 in the same time for addresses that are new, pending, active and unsubscribed', async () => {
  // By chance, or while the machine is too busy for the time that answers wait, two look unlike now and then; an answer
  // that tells is told apart each time.
  let apart = await toldApart(1);
  for (let round = 2; round <= 3 && apart.length > 0; round += 1) {
    const again = await toldApart(round);
    apart = apart.filter((pair) => again.includes(pair));
  }
  assert.deepEqual(apart, []);
});

/** Of four kinds of addresses, those pairs whose answers take a time by which they can be told apart. */
async function toldApart(round: number): Promise<string[]> {
  const samples = 24;
  const prepared = new Map<string, string[]>();
  for (const status of ['new', 'pending', 'active', 'unsubscribed'] as const) {
    const emails = Array.from({ length: samples }, (_, index) => `t${index}-${status}@time${round}.example`);
    prepared.set(status, emails);
    await sql`truncate attempt_counts`.execute(free.db);
    if (status !== 'new') await Promise.all(emails.map((email) => aMember(free, weekly, email, status)));
  }
  const times = new Map([...prepared.keys()].map((status) => [status, [] as number[]]));
  // In turn, so that what the machine does besides falls on all alike.
  for (let index = 0; index < samples; index += 1) {
    await sql`truncate attempt_counts`.execute(free.db);
    for (const [status, emails] of prepared) {
      const started = performance.now();
      const answer = await subscribe(free, 'weekly', { email: emails[index] });
      times.get(status)?.push(performance.now() - started);
      assert.equal(answer.status, 200);
    }
  }
  const classes = [...times];
  return classes.flatMap(([name, ofOne], index) =>
    classes
      .slice(index + 1)
      .filter(([, ofOther]) => mannWhitney(ofOne, ofOther) <= 0.001)
      .map(([other]) => `${name} and ${other}`),
  );
}

/** Two-sided probability that both come from one distribution (normal approximation; good from 20 samples each). */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const wins = a.reduce((sum, x) => sum + b.reduce((own, y) => own + (x > y ? 1 : x === y ? 0.5 : 0), 0), 0);
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  const z = Math.abs(wins - (a.length * b.length) / 2) / deviation;
  // Abramowitz and Stegun 26.2.17
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 2 * (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
