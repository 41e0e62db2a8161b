import { publishWebhooks } from '#features/webhooks';
import type { Import, ImportPage, RowOutcome } from '#features/transfers';
import { suppressedAmong } from '#features/suppressions';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { subscribersUnsubscribed, type UnsubscribeReason } from '../../../announcements.ts';
import type { Newsletter } from '../../../newsletter.ts';
import { keepOutSuppression } from '../../address-lock-queries.ts';
import { hashOfAddress, recordConsents } from '../../consent/consent.ts';
import { noEvidence } from '../../consent/evidence.ts';
import type { ConsentSummary, Subscriber } from '../../subscriber.ts';
import { newsOf, tellAllAdded, tellAllConfirmed, unsubscribedData } from '../../subscriber-events.ts';
import { type HeldSubscriber, judgeRow, type Judgement, type Known } from './judge-row.ts';
import {
  type ImportedRow,
  insertImported,
  listErasedAmong,
  listSubscribersAmong,
  lockSubscribersAmong,
  unsubscribeImported,
  updateImported,
} from './page-queries.ts';
import type { GoodRow } from './read-row.ts';

interface OfNewsletter {
  workspaceId: string;
  newsletterId: string;
}

type Done = Map<number, RowOutcome>;

/** A row and what is to be done with it. */
type Judged<K extends Judgement['do']> = { row: GoodRow; to: Extract<Judgement, { do: K }> };

/** Takes one page of a file into a newsletter, in the transaction that it is given. */
export class PageWork {
  readonly #tx: Db;
  readonly #secrets: Secrets;
  readonly #page: ImportPage<GoodRow>;
  readonly #given: Import;
  readonly #of: OfNewsletter;
  readonly #newsletter: Newsletter;
  readonly #now: Date;
  readonly #done: Done = new Map();
  readonly #hashes = new Map<string, string>();

  constructor(tx: Db, secrets: Secrets, newsletter: Newsletter, page: ImportPage<GoodRow>) {
    this.#tx = tx;
    this.#secrets = secrets;
    this.#page = page;
    this.#now = page.now;
    this.#given = page.given;
    this.#of = { workspaceId: newsletter.workspaceId, newsletterId: newsletter.id };
    this.#newsletter = newsletter;
  }

  async take(): Promise<Done> {
    let left = this.#firstOfEach(this.#page.rows);
    if (left.length === 0) return this.#done;
    const { workspaceId } = this.#given;
    await keepOutSuppression(
      this.#tx,
      left.map(({ email }) => ({ workspaceId, email })),
    );
    const known = await this.#knownOf(left);
    // Most of a file are new: they are added without a look, and only who could not be is looked at.
    if (!this.#given.options.dryRun) left = await this.#addNew(left, known);
    // Concurrent inserts and deletes are handled by the second query.
    for (let look = 0; look < 3 && left.length > 0; look += 1) left = await this.#takeOnce(left, known);
    for (const row of left) this.#done.set(row.line, { result: 'skipped', reason: 'exists' });
    return this.#done;
  }

  #firstOfEach(rows: readonly GoodRow[]): GoodRow[] {
    const first = new Map<string, GoodRow>();
    for (const row of [...rows].sort((a, b) => a.line - b.line)) {
      if (first.has(row.email)) this.#done.set(row.line, { result: 'skipped', reason: 'duplicate' });
      else first.set(row.email, row);
    }
    return rows.filter((row) => first.get(row.email) === row);
  }

  /** The known state of the addresses, on the list or not. */
  async #knownOf(rows: readonly GoodRow[]): Promise<Known> {
    const { workspaceId } = this.#given;
    const hashes = new Map(rows.map(({ email }) => [this.#hashOf(email), email]));
    const erased = await listErasedAmong(this.#tx, this.#of, [...hashes.keys()]);
    return {
      importId: this.#given.id,
      suppressed: await suppressedAmong(
        this.#tx,
        workspaceId,
        rows.map(({ email }) => email),
      ),
      erased: new Set(erased.map((one) => hashes.get(one) ?? '')),
    };
  }

  /** Answers those who were not added: they are on the list, or may not come onto it. */
  async #addNew(rows: readonly GoodRow[], known: Known): Promise<GoodRow[]> {
    const judged = rows.map((row) => ({ row, to: judgeRow(row, undefined, known, this.#given.options) }));
    const others = judged.filter(({ to }) => to.do !== 'create').map(({ row }) => row);
    const there = await this.#create(judged.filter((one): one is Judged<'create'> => one.to.do === 'create'));
    if (others.length === 0) return there;
    const left = new Set([...others, ...there]);
    return rows.filter((row) => left.has(row));
  }

  /** Answers those that somebody else has added in between. */
  async #takeOnce(rows: readonly GoodRow[], known: Known): Promise<GoodRow[]> {
    const judged = await this.#judge(rows, known);
    const those = <K extends Judgement['do']>(what: K): Judged<K>[] =>
      judged.filter((one): one is Judged<K> => one.to.do === what);
    for (const { row, to } of those('skip')) this.#done.set(row.line, { result: 'skipped', reason: to.reason });
    for (const { row } of [...those('update'), ...those('unsubscribe')]) {
      this.#done.set(row.line, { result: 'updated', reason: null });
    }
    if (this.#given.options.dryRun) {
      for (const { row } of those('create')) this.#done.set(row.line, { result: 'created', reason: null });
      return [];
    }
    await this.#unsubscribe(those('unsubscribe'));
    await updateImported(
      this.#tx,
      this.#given.workspaceId,
      those('update').map(({ to: { id, name, source, metadata } }) => ({ id, name, source, metadata })),
      this.#now,
    );
    return this.#create(those('create'));
  }

  async #judge(rows: readonly GoodRow[], known: Known): Promise<{ row: GoodRow; to: Judgement }[]> {
    const { options } = this.#given;
    const emails = rows.map((row) => row.email);
    const held = new Map<string, HeldSubscriber>();
    for (const one of await lockSubscribersAmong(this.#tx, this.#of, emails)) held.set(one.email, one);
    const met = new Set(options.dryRun ? await this.#page.metBefore(emails) : []);
    return rows.map((row) => ({
      row,
      to: met.has(row.email)
        ? ({ do: 'skip', reason: 'duplicate' } as const)
        : judgeRow(row, held.get(row.email), known, options),
    }));
  }

  async #create(judged: readonly Judged<'create'>[]): Promise<GoodRow[]> {
    if (judged.length === 0) return [];
    const given = this.#given;
    const common = { ...this.#of, importId: given.id, at: given.createdAt, now: this.#now, details: this.#details() };
    const added = await insertImported(
      this.#tx,
      common,
      judged.map(({ row, to }) => this.#importedRow(row, to.status)),
    );
    const isAdded = new Set(added);
    for (const { row } of judged)
      if (isAdded.has(row.email)) this.#done.set(row.line, { result: 'created', reason: null });
    if (given.options.emitEvents) await this.#tell(added);
    return judged.filter(({ row }) => !isAdded.has(row.email)).map(({ row }) => row);
  }

  async #tell(emails: readonly string[]): Promise<void> {
    const added = await listSubscribersAmong(this.#tx, this.#of, emails);
    const those = (status: Subscriber['status']): Subscriber[] => added.filter((one) => one.status === status);
    await tellAllConfirmed(this.#tx, this.#newsletter, those('active'));
    await tellAllAdded(this.#tx, this.#newsletter, those('pending'));
  }

  #importedRow(row: GoodRow, status: Subscriber['status']): ImportedRow {
    const { options } = this.#given;
    const reason = status === 'unsubscribed' ? row.reason : null;
    return {
      id: newId(),
      email: row.email,
      name: row.name ?? undefined,
      source: row.source ?? options.source ?? undefined,
      metadata: reason === null ? row.metadata : { ...row.metadata, unsubscribe_reason: reason },
      status,
      confirmed_at: status === 'pending' ? undefined : (row.confirmedAt ?? undefined),
      unsubscribed_at: status === 'unsubscribed' ? (row.unsubscribedAt ?? this.#now) : undefined,
      confirmation_sent_at: row.confirmationSentAt ?? undefined,
      confirmation_count: row.confirmationCount,
      consent: row.consent ?? consentOf(row),
      last_opened_at: row.lastOpenedAt ?? undefined,
      last_clicked_at: row.lastClickedAt ?? undefined,
      created_at: row.createdAt ?? this.#now,
      hash: this.#hashOf(row.email),
    };
  }

  async #unsubscribe(judged: readonly Judged<'unsubscribe'>[]): Promise<void> {
    const { workspaceId } = this.#given;
    const reasonOf = (row: GoodRow): UnsubscribeReason => (row.reason ?? 'api') as UnsubscribeReason; // read as one
    const left = await unsubscribeImported(
      this.#tx,
      workspaceId,
      judged.map(({ row, to }) => ({ id: to.id, reason: reasonOf(row), at: row.unsubscribedAt ?? this.#now })),
      this.#now,
    );
    if (left.length === 0) return;
    await this.#recordLeft(left);
    const by = new Map(judged.map(({ row, to }) => [to.id, { row, from: to.from }]));
    const news = left.map((one) => {
      const cause = by.get(one.id);
      const why = {
        reason: cause === undefined ? 'api' : reasonOf(cause.row),
        issueId: null,
        previousStatus: cause?.from ?? 'active',
      } as const;
      return { one, why };
    });
    await publishWebhooks(
      this.#tx,
      news.map(({ one, why }) => ({
        workspaceId,
        type: 'newsletter.subscriber.unsubscribed',
        newsletterId: this.#newsletter.id,
        data: unsubscribedData(this.#newsletter, one, why),
      })),
    );
    await subscribersUnsubscribed.announce(
      this.#tx,
      news.map(({ one, why }) => ({ ...newsOf(one), ...why })),
    );
  }

  async #recordLeft(rows: readonly Subscriber[]): Promise<void> {
    await recordConsents(
      this.#tx,
      this.#secrets,
      rows.map((subscriber) => ({
        subscriber,
        action: 'unsubscribed',
        at: this.#now,
        evidence: noEvidence,
        details: this.#details(),
      })),
    );
  }

  /** The actor who declared the consent, recorded with every person it is declared for. */
  #details(): Record<string, unknown> {
    const { id, createdBy, options, ip } = this.#given;
    return {
      import_id: id,
      by: createdBy.id === null ? createdBy.type : `${createdBy.type}:${createdBy.id}`,
      importer_ip: ip,
      ...(options.alreadyConfirmed ? { consent: 'already_confirmed' } : {}),
    };
  }

  /** Hex; once for each row that is new, however often it is looked at. */
  #hashOf(email: string): string {
    let hash = this.#hashes.get(email);
    if (hash === undefined) {
      hash = hashOfAddress(this.#secrets, email).toString('hex');
      this.#hashes.set(email, hash);
    }
    return hash;
  }
}

/** The file's account of how a person came to its list. */
const consentOf = (row: GoodRow): ConsentSummary => ({
  method: 'import',
  signup_via: 'import',
  ...(row.createdAt === null ? {} : { signup_at: row.createdAt.toISOString() }),
  ...(row.signupIp === null ? {} : { signup_ip: row.signupIp }),
  ...(row.confirmedAt === null ? {} : { confirmed_at: row.confirmedAt.toISOString() }),
  ...(row.confirmedIp === null ? {} : { confirmed_ip: row.confirmedIp }),
});
