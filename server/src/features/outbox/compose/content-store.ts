import { LRUCache } from 'lru-cache';
import type { Db } from '#platform/db/database.ts';
import { ByteBudget } from './byte-budget.ts';
import { createRecipientStore, type RecipientKey } from './recipient-store.ts';
import type { LoadRecipients, PersonalRecipient } from './personal-content.ts';
import { prepareSend, type Tracking } from './prepare-send.ts';
import type { PreparedSend } from './prepared-send.ts';
import { type ContentRow, loadContents, loadLargeContent } from './queries/load-contents.ts';

interface Key {
  workspaceId: string;
  contentId: string;
}

/** An email of a page: what it needs is its content and, in a bulk send, what is its recipient's own. */
type PageEmail = Key & RecipientKey;

export interface ContentStore {
  /** Reads what a page of emails needs in one statement; `use` then waits for it. */
  expect(page: readonly PageEmail[]): void;
  /** What is this recipient's own; undefined: the email is of no bulk send, or there is nobody any more. */
  recipientOf(email: RecipientKey): Promise<PersonalRecipient | undefined>;
  /** Runs `work` with the content. Large ones are held in memory only within the byte budget. */
  use<T>(key: Key, work: (send: PreparedSend) => Promise<T>): Promise<T>;
}

const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_EACH_MAX = KEPT_BYTES / 4;
const LARGE_FROM = 256 * 1024;
// Rows, decoded files, base64 and the finished message: what is in memory for one byte stored.
const MEMORY_FACTOR = 4;
const LARGE_BYTES = 256 * 1024 * 1024;

const nameOf = (key: Key): string => `${key.workspaceId} ${key.contentId}`;

/** Without `tracking` everything goes out as it was given. */
export function createContentStore(options: {
  db: Db;
  tracking: Tracking | null;
  loadRecipients?: LoadRecipients | undefined;
}): ContentStore {
  const { db, tracking } = options;
  const kept = new LRUCache<string, PreparedSend>({ maxSize: KEPT_BYTES, maxEntrySize: KEPT_EACH_MAX });
  const recipients = createRecipientStore(options.loadRecipients);
  const budget = new ByteBudget(LARGE_BYTES);
  // What is being read or composed; several recipients of one send wait for the same work.
  const rows = new Map<string, Promise<ContentRow | undefined>>();
  const composing = new Map<string, Promise<PreparedSend>>();

  const remember = (name: string, send: PreparedSend, bytes: number): PreparedSend => {
    kept.set(name, send, { size: Math.max(1_000, bytes * 2) });
    return send;
  };
  const sharing = (name: string, work: () => Promise<PreparedSend>): Promise<PreparedSend> => {
    const running = composing.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => composing.delete(name));
    composing.set(name, started);
    return started;
  };

  const expect = (page: readonly Key[]): void => {
    const missing = new Map<string, Key>();
    for (const key of page) {
      const name = nameOf(key);
      if (!kept.has(name) && !rows.has(name) && !composing.has(name)) missing.set(name, key);
    }
    if (missing.size === 0) return;
    const reading = loadContents(db, [...missing.values()], LARGE_FROM).then(
      (found) => new Map(found.map((row) => [nameOf({ workspaceId: row.workspaceId, contentId: row.id }), row])),
    );
    for (const name of missing.keys()) {
      const row = reading.then((found) => found.get(name));
      row.catch(() => rows.delete(name)); // whoever uses it meets the error; the next page reads again
      rows.set(name, row);
    }
  };

  return {
    expect(page) {
      recipients.expect(page);
      expect(page);
    },
    recipientOf: recipients.recipientOf,
    async use(key, work) {
      const name = nameOf(key);
      const known = kept.get(name);
      if (known !== undefined) return work(known);
      if (!rows.has(name)) expect([key]);
      const row = await rows.get(name);
      if (row === undefined) {
        const composed = kept.get(name) ?? (await composing.get(name));
        if (composed !== undefined) return work(composed);
        throw new Error('the content of a claimed email is missing');
      }
      if (!row.isLarge) {
        const send = await sharing(name, async () =>
          remember(name, await prepareSend(row, row, [], tracking), row.bytes),
        ).finally(() => rows.delete(name));
        return work(send);
      }
      const giveBack = await budget.take(row.bytes * MEMORY_FACTOR);
      try {
        const again = kept.get(name);
        const send =
          again ??
          (await sharing(name, async () => {
            const large = await loadLargeContent(db, key.workspaceId, key.contentId);
            return remember(name, await prepareSend(row, large, large.attachments, tracking), row.bytes);
          }));
        return await work(send);
      } finally {
        rows.delete(name);
        giveBack();
      }
    },
  };
}
