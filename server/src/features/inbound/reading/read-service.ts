import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { inboundStored } from '../arriving/store-inbound.ts';
import { claimWaiting, type WaitingInbound } from './queries.ts';
import { type ReadingPorts, readInbound } from './read-inbound.ts';

const EVERY_MS = 1_000;
const PAGE = 8;
/** Messages that are larger are read one after another: each may need several times its size. */
const SMALL_BYTES_MAX = 1_048_576;

/** Reads what waits: one page of it, and one message that was begun before. Whether there may be more. */
async function readWaiting(ports: ReadingPorts): Promise<boolean> {
  const page = await claimWaiting(ports.db, { max: PAGE, again: false });
  const read = async (waiting: WaitingInbound): Promise<void> => {
    try {
      await readInbound(ports, waiting);
    } catch (error) {
      // It waits again in two minutes.
      ports.log.warn({ err: error, inbound: waiting.id }, 'a received message could not be stored as read');
    }
  };
  await Promise.all(page.filter(({ size }) => size <= SMALL_BYTES_MAX).map(read));
  for (const large of page.filter(({ size }) => size > SMALL_BYTES_MAX)) await read(large);
  const again = await claimWaiting(ports.db, { max: 1, again: true });
  for (const waiting of again) await read(waiting);
  return page.length === PAGE || again.length > 0;
}

/** Reads received mail as it comes. Any number of processes may do it. */
export const createReadService = (ports: ReadingPorts): Service =>
  loop<boolean>({
    name: 'received mail',
    everyMs: EVERY_MS,
    wokenBy: inboundStored,
    clock: ports.clock,
    log: ports.log,
    failure: 'received mail could not be read; trying again',
    round: () => readWaiting(ports),
    waitMs: (isMore) => (isMore ? 0 : EVERY_MS),
  });
