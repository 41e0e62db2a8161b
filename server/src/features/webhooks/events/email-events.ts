import type { RawBuilder } from 'kysely';
import type { MailShown } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import type { EmailEventRow } from './envelope.ts';

export interface EventKey {
  workspaceId: string;
  eventId: string;
}

/** A stretch of the events of a workspace, by the ids that order them. */
export interface EmailEventSpan {
  workspaceId: string;
  /** Ids from here on, and below there. */
  fromId: string;
  untilId: string;
  /** Continue behind this one. */
  after: string | null;
  ascending: boolean;
  limit: number;
  /** null: of every type. */
  type: string | null;
  /** Only of this email. */
  emailId?: string | null;
  /** Whose events the caller may see. */
  shown: MailShown;
}

/** The functions that this feature needs from the owner of emails and events, which is above it; given by main. */
export interface EmailEvents {
  /** Events with the data of their emails. Deleted events are absent. */
  load(db: Db, keys: readonly EventKey[]): Promise<EmailEventRow[]>;
  /** A select of `id` in the order of the ids, for no more rows than the limit: a part of a statement. */
  ids(span: EmailEventSpan): RawBuilder<unknown>;
  /** The same with `id`, `type`, `newsletter_id` and `domain_id` of each: which endpoints would be told of it. */
  subjects(span: EmailEventSpan): RawBuilder<unknown>;
}
