import { LRUCache } from 'lru-cache';
import type { Db } from '#platform/db/database.ts';
import { ByteBudget } from './byte-budget.ts';
import { createRecipientStore, type RecipientKey } from './recipient-store.ts';
import type { LoadRecipients, PersonalRecipient } from './personal-content.ts';
import type { Tracking } from './content-tracking.ts';
import { createMergeStore } from './merge-store.ts';
import { type Composing, prepareSend } from './prepare-send.ts';
import type { PreparedSend } from './prepared-send.ts';
import { type ContentRow, loadContents, loadLargeContent } from './queries/load-contents.ts';

interface Key {
  workspaceId: string;
  contentId: string;
}

/** An email of a page. It needs its content and, in a bulk send, the values of its recipient. */
type PageEmail = Key & RecipientKey;

export interface ContentStore {
  /** Reads everything that a page of emails needs in one statement; `use` then waits for it. */
  expect(page: readonly PageEmail[]): void;
  /** The values of this recipient. undefined: the email is of no bulk send, or its recipient is deleted. */
  recipientOf(email: RecipientKey): Promise<PersonalRecipient | undefined>;
  /** Runs `work` with the content. Large ones are held in memory only within the byte budget. */
  use<T>(key: Key, work: (send: PreparedSend) => Promise<T>): Promise<T>;
}

const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_EACH_MAX = KEPT_BYTES / 4;
const LARGE_FROM = 256 * 1024;
// The bytes in memory for one stored byte: rows, decoded files, base64 and the finished message.
const MEMORY_FACTOR = 4;
const LARGE_BYTES = 256 * 1024 * 1024;

/** Contents that are being read, or that were read and wait to be composed. */
type Rows = Map<string, Promise<ContentRow | undefined>>;

const nameOf = (key: Key): string => `${key.workspaceId} ${key.contentId}`;

/** Without `tracking`, links and html stay as they were given. */
export function createContentStore(options: {
  db: Db;
  tracking: Tracking | null;
  /** For each kind of audience: loads the values of its recipients. */
  audiences?: readonly { kind: string; loadRecipients: LoadRecipients }[];
}): ContentStore {
  const { db, tracking } = options;
  const composing: Composing = { tracking, merges: createMergeStore() };
  const recipients = createRecipientStore(options.audiences ?? []);
  const budget = new ByteBudget(LARGE_BYTES);
  const rows: Rows = new Map();
  const sends = new PreparedSends();
  const expect = (page: readonly Key[]): void => expectRows({ db, rows, isKnown: (name) => sends.has(name) }, page);

  return {
    expect(page) {
      recipients.expect(page);
      expect(page);
    },
    recipientOf: recipients.recipientOf,
    async use(key, work) {
      const name = nameOf(key);
      const known = sends.kept(name);
      if (known !== undefined) return work(known);
      if (!rows.has(name)) expect([key]);
      const row = await rows.get(name);
      if (row === undefined) {
        const composed = await sends.get(name);
        if (composed !== undefined) return work(composed);
        throw new Error('the content of a claimed email is missing');
      }
      if (!row.isLarge) {
        const prepare = (): Promise<PreparedSend> => prepareSend(row, row, [], composing);
        return work(await sends.prepare(name, row.bytes, prepare).finally(() => rows.delete(name)));
      }
      const giveBack = await budget.take(row.bytes * MEMORY_FACTOR);
      try {
        const prepare = async (): Promise<PreparedSend> => {
          const large = await loadLargeContent(db, key.workspaceId, key.contentId);
          return prepareSend(row, large, large.attachments, composing);
        };
        return await work(sends.kept(name) ?? (await sends.prepare(name, row.bytes, prepare)));
      } finally {
        rows.delete(name);
        giveBack();
      }
    },
  };
}

/** Reads the contents of a page that are neither in memory nor being read, in one statement. */
function expectRows(
  { db, rows, isKnown }: { db: Db; rows: Rows; isKnown(name: string): boolean },
  page: readonly Key[],
): void {
  const missing = new Map<string, Key>();
  for (const key of page) {
    const name = nameOf(key);
    if (!rows.has(name) && !isKnown(name)) missing.set(name, key);
  }
  if (missing.size === 0) return;
  const reading = loadContents(db, [...missing.values()], LARGE_FROM).then(
    (found) => new Map(found.map((row) => [nameOf({ workspaceId: row.workspaceId, contentId: row.id }), row])),
  );
  for (const name of missing.keys()) {
    const row = reading.then((found) => found.get(name));
    row.catch(() => rows.delete(name)); // the reader of this row gets the error; the next page reads again
    rows.set(name, row);
  }
}

/** Composed sends, bounded in bytes. Several recipients of one send wait for the same composition. */
class PreparedSends {
  readonly #kept = new LRUCache<string, PreparedSend>({ maxSize: KEPT_BYTES, maxEntrySize: KEPT_EACH_MAX });
  readonly #composing = new Map<string, Promise<PreparedSend>>();

  has(name: string): boolean {
    return this.#kept.has(name) || this.#composing.has(name);
  }

  kept(name: string): PreparedSend | undefined {
    return this.#kept.get(name);
  }

  async get(name: string): Promise<PreparedSend | undefined> {
    return this.#kept.get(name) ?? (await this.#composing.get(name));
  }

  prepare(name: string, bytes: number, work: () => Promise<PreparedSend>): Promise<PreparedSend> {
    const running = this.#composing.get(name);
    if (running !== undefined) return running;
    const started = work()
      .then((send) => {
        this.#kept.set(name, send, { size: Math.max(1_000, bytes * 2) });
        return send;
      })
      .finally(() => this.#composing.delete(name));
    this.#composing.set(name, started);
    return started;
  }
}
