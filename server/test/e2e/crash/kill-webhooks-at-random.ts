import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '../../harness/smtp-faults.ts';
import type { WebhookComparison } from './compare-webhooks.ts';
import { between, sendAll } from './requests.ts';
import { createWebhookRig, eventfulRequests } from './webhook-rig.ts';

export interface RandomKills {
  seed: number;
  kills: number;
  recipients: number;
}

/** Longest that a life is left alone, from when it serves. */
const LIFE_MAX_MS = 1_500;
/** A process that restarts takes from the sends; each waits so long, so that every life has some. */
const SEND_EVERY_MS = 20;

/**
 * Sends to so many recipients while a process that does everything is killed again and again, at moments that the seed
 * chooses. The receiver fails a tenth of the attempts, and takes its time for another tenth.
 */
export async function killAtRandom({ seed, kills, recipients }: RandomKills): Promise<WebhookComparison> {
  const random = seededRandom(seed);
  const rig = await createWebhookRig();
  try {
    const supervised = rig.supervise('all', Array(kills).fill([]));
    await rig.makeEndpoints(await supervised.life(0));
    rig.receiver.answer(() => {
      const chance = random();
      return chance < 0.1 ? 503 : chance < 0.15 ? 'never' : 200;
    });
    const killing = (async () => {
      for (let life = 0; life < kills; life += 1) {
        const process = await supervised.life(life, 120_000);
        await wait(between(random, 50, LIFE_MAX_MS));
        process.child.kill('SIGKILL');
      }
      await supervised.life(kills, 120_000);
    })();
    await sendAll(eventfulRequests(recipients, seed), 2, async (request) => {
      await rig.client.sendUntilAccepted(request);
      await wait(SEND_EVERY_MS);
    });
    await killing;
    // The deliveries that the kills have put off come now, and meet a receiver like the one before, but for the
    // waiting.
    rig.receiver.answer(() => (random() < 0.1 ? 503 : 200));
    await rig.untilDelivered();
    return await rig.compareWebhooks();
  } finally {
    await rig.close();
  }
}
