import { type Db, inOneStatement } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { insertSend, insertSends, type SendToInsert } from './queries/accept-send.ts';

type Statuses = ('queued' | 'suppressed')[];

interface Waiting {
  given: SendToInsert;
  resolve(statuses: Statuses): void;
  reject(error: unknown): void;
}

// One statement at a time: what arrives meanwhile goes together in the next. Two at a time cost a quarter more
// processor time per send and were no faster (16 connections, November 2026).
const PAGE_MAX = 64;
// Larger sends go alone: they would make the others wait.
const CHARS_MAX = 65_536;
const RECIPIENTS_MAX = 50;

/**
 * Stores a send and returns once it is committed. Sends that arrive while others are being stored share a statement and a
 * commit: under load the cost of both is divided by as many as came together, and a single send waits for nobody.
 * What must stand alone does: inside a transaction, with reservations (they refuse by failing), grouped, or with
 * attachments or much text.
 */
export function storeSend(db: Db, given: SendToInsert): Promise<Statuses> {
  if (db.isTransaction || !mayShare(given)) return inOneStatement(db, (own) => insertSend(own, given));
  let gatherer = gatherers.get(db);
  if (gatherer === undefined) {
    gatherer = createGatherer(db);
    gatherers.set(db, gatherer);
  }
  return gatherer(given);
}

const gatherers = new WeakMap<Db, (given: SendToInsert) => Promise<Statuses>>();

function mayShare({ send, addresses }: SendToInsert): boolean {
  const { html, text, attachments } = send.content;
  if (send.grouped !== undefined || send.batch !== undefined) return false;
  const chars = (html?.length ?? 0) + (text?.length ?? 0);
  return (
    send.reservations.length === 0 &&
    attachments.length === 0 &&
    chars <= CHARS_MAX &&
    addresses.length <= RECIPIENTS_MAX
  );
}

function createGatherer(db: Db): (given: SendToInsert) => Promise<Statuses> {
  let waiting: Waiting[] = [];
  let busy = false;

  const flush = (): void => {
    if (busy || waiting.length === 0) return;
    const page = waiting.slice(0, PAGE_MAX);
    waiting = waiting.slice(PAGE_MAX);
    busy = true;
    void storePage(db, page).finally(() => {
      busy = false;
      flush();
    });
  };
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject });
      // After everything that this turn of the event loop brings in.
      if (waiting.length === 1) setImmediate(flush);
    });
}

/** Never rejects: each send hears its own outcome. */
async function storePage(db: Db, page: readonly Waiting[]): Promise<void> {
  try {
    const sends = page.map((one) => one.given);
    const [first] = sends;
    const statuses = await inOneStatement(db, async (own) =>
      first !== undefined && sends.length === 1 ? [await insertSend(own, first)] : insertSends(own, sends),
    );
    page.forEach((one, index) => one.resolve(statuses[index] ?? []));
  } catch (error) {
    if (page.length === 1 || isDatabaseUnavailable(error)) {
      for (const one of page) one.reject(error);
      return;
    }
    // Nothing was stored. One of them is at fault, and must not refuse the others.
    await Promise.all(
      page.map(({ given, resolve, reject }) =>
        inOneStatement(db, (own) => insertSend(own, given)).then(resolve, reject),
      ),
    );
  }
}
