import {
  type ConsentSummary,
  hashOfAddress,
  listErasedAmong,
  listLeftAmong,
  noEvidence,
  readConsentSummary,
  recordConsents,
} from '#features/consents';
import { publishWebhooks } from '#features/webhooks';
import {
  type HeldPerson,
  importedBy,
  type Import,
  type ImportPage,
  type Judged,
  type KnownAddresses,
  type PeopleList,
  type PersonRow,
} from '#features/transfers';
import { keepOutSuppression, suppressedAmong } from '#features/suppressions';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { subscribersUnsubscribed, type UnsubscribeReason } from '../../../announcements.ts';
import type { Newsletter } from '../../../newsletter.ts';
import { awaitLeaving } from '../../leaving/leaving-lock-queries.ts';
import { personOf, type Subscriber } from '../../subscriber.ts';
import { newsOf, tellJoined, unsubscribedData } from '../../subscriber-events.ts';
import {
  type ImportedRow,
  insertImported,
  listSubscribersAmong,
  lockSubscribersAmong,
  unsubscribeImported,
  updateImported,
} from './page-queries.ts';

interface OfNewsletter {
  workspaceId: string;
  newsletterId: string;
}

/** A newsletter that takes a page of a file, in the transaction that it is given. */
export class PageWork implements PeopleList {
  readonly #tx: Db;
  readonly #secrets: Secrets;
  readonly #given: Import;
  readonly #of: OfNewsletter;
  readonly #newsletter: Newsletter;
  readonly #now: Date;
  readonly #hashes = new Map<string, string>();

  constructor(tx: Db, secrets: Secrets, newsletter: Newsletter, { given, now }: ImportPage<PersonRow>) {
    this.#tx = tx;
    this.#secrets = secrets;
    this.#now = now;
    this.#given = given;
    this.#of = { workspaceId: newsletter.workspaceId, newsletterId: newsletter.id };
    this.#newsletter = newsletter;
  }

  async know(emails: readonly string[]): Promise<KnownAddresses> {
    const { workspaceId, newsletterId: listId } = this.#of;
    await keepOutSuppression(
      this.#tx,
      emails.map((email) => ({ workspaceId, email })),
    );
    const hashes = new Map(emails.map((email) => [this.#hashOf(email), email]));
    const list = { workspaceId, listId };
    const erased = await listErasedAmong(this.#tx, list, [...hashes.keys()]);
    await awaitLeaving(this.#tx, list);
    const left = await listLeftAmong(this.#tx, list, [...hashes.keys()]);
    return {
      importId: this.#given.id,
      suppressed: await suppressedAmong(this.#tx, workspaceId, emails),
      erased: new Set(erased.map((one) => hashes.get(one) ?? '')),
      left: new Set(left.map((one) => hashes.get(one) ?? '')),
    };
  }

  lockAmong(emails: readonly string[]): Promise<HeldPerson[]> {
    return lockSubscribersAmong(this.#tx, this.#of, emails);
  }

  async add(people: readonly Judged<'create'>[]): Promise<string[]> {
    const given = this.#given;
    const common = { ...this.#of, importId: given.id, at: given.createdAt, now: this.#now, details: this.#details() };
    const rows = people.map(({ row, to }) => this.#importedRow(row, to.status));
    const added = await insertImported(this.#tx, common, rows);
    if (given.options.emitEvents) await this.#tell(added);
    return added;
  }

  change(people: readonly Judged<'update'>[]): Promise<void> {
    const rows = people.map(({ to: { id, name, source, metadata } }) => ({ id, name, source, metadata }));
    return updateImported(this.#tx, this.#given.workspaceId, rows, this.#now);
  }

  async unsubscribe(people: readonly Judged<'unsubscribe'>[]): Promise<void> {
    const { workspaceId } = this.#given;
    const reasonOf = (row: PersonRow): UnsubscribeReason => row.reason ?? 'api';
    const left = await unsubscribeImported(
      this.#tx,
      workspaceId,
      people.map(({ row, to }) => ({ id: to.id, reason: reasonOf(row), at: row.unsubscribedAt ?? this.#now })),
      this.#now,
    );
    if (left.length === 0) return;
    await this.#recordLeft(left);
    const by = new Map(people.map(({ row, to }) => [to.id, { row, from: to.from }]));
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
      news.map(({ one, why }) => ({ ...newsOf(one, importedBy(this.#given)), ...why, isErased: false })),
    );
  }

  async #tell(emails: readonly string[]): Promise<void> {
    const added = await listSubscribersAmong(this.#tx, this.#of, emails);
    await tellJoined(this.#tx, this.#newsletter, added, importedBy(this.#given));
  }

  #importedRow(row: PersonRow, status: Subscriber['status']): ImportedRow {
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
      consent: row.consent === null ? consentOf(row) : readConsentSummary(row.consent),
      last_opened_at: row.lastOpenedAt ?? undefined,
      last_clicked_at: row.lastClickedAt ?? undefined,
      created_at: row.createdAt ?? this.#now,
      hash: this.#hashOf(row.email),
    };
  }

  async #recordLeft(rows: readonly Subscriber[]): Promise<void> {
    await recordConsents(
      this.#tx,
      this.#secrets,
      rows.map((subscriber) => ({
        person: personOf(subscriber),
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
const consentOf = (row: PersonRow): ConsentSummary => ({
  method: 'import',
  signup_via: 'import',
  ...(row.createdAt === null ? {} : { signup_at: row.createdAt.toISOString() }),
  ...(row.signupIp === null ? {} : { signup_ip: row.signupIp }),
  ...(row.confirmedAt === null ? {} : { confirmed_at: row.confirmedAt.toISOString() }),
  ...(row.confirmedIp === null ? {} : { confirmed_ip: row.confirmedIp }),
});
