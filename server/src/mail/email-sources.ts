/**
 * Where emails come from, in one place: types, the schema of the API and the check of the database follow this list (a
 * test compares the last). `by` says whose words they carry:
 * - `caller`: somebody gave the message to us, and may see and repeat it as it was;
 * - `list`: a newsletter or a broadcast made it for each reader, with links that act for them;
 * - `instance`: the installation itself wrote it. Its links sign people in, so no reader of logs is shown it.
 */
export const SOURCES = {
  /** `POST /v1/send`. */
  api: { by: 'caller' },
  /** An item of `POST /v1/batch`. */
  batch: { by: 'caller' },
  /** An earlier email, sent once more on request. */
  resend: { by: 'caller' },
  /** A scheduled email whose time has come. */
  scheduled: { by: 'caller' },
  /** Submitted over SMTP. */
  relay: { by: 'caller' },
  /** A step of an automation. */
  automation: { by: 'caller' },
  /** An answer to mail that came in. */
  inbound_reply: { by: 'caller' },
  /** An issue of a newsletter: one email for each subscriber. */
  issue: { by: 'list' },
  /** A broadcast: one email for each contact of its audience. */
  broadcast: { by: 'list' },
  /** Mail of a list that one person waits for, such as the request to confirm. */
  confirmation: { by: 'list' },
  /** An issue or a broadcast, sent to its author to look at. */
  test: { by: 'list' },
  /** Passwords, invitations, alarms. */
  system: { by: 'instance' },
} as const satisfies Record<string, { by: 'caller' | 'list' | 'instance' }>;

export type Source = keyof typeof SOURCES;
/** Sources of sends to many, which are frozen first and released page by page. */
export type BulkSource = Extract<Source, 'issue' | 'broadcast'>;

export const SOURCE_NAMES = Object.keys(SOURCES) as Source[]; // the keys are exactly the union

export const LIST_SOURCES: readonly string[] = SOURCE_NAMES.filter((source) => SOURCES[source].by === 'list');

/** Whether a list made the email for its reader; null is an email whose send is gone. */
export const isOfList = (source: string | null): boolean => source !== null && LIST_SOURCES.includes(source);
