import type { Static } from 'typebox';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { type Attachment, readAttachments } from '#mail/attachments/attachment-rules.ts';
import { checkCustomHeaders } from '#mail/headers/custom-headers.ts';
import { parseMessageId } from '#mail/headers/message-id.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Faults } from '#platform/errors/faults.ts';
import { headersTooLarge } from './header-size.ts';
import { insertPreheader } from './preheader.ts';
import { readMailbox, readMailboxes, withoutDuplicates } from './read-mailboxes.ts';
import { type AskedSchedule, judgeTime } from './later/asked-schedule.ts';
import { LIMITS, type SendBody } from './schemas.ts';

export type SendInput = Static<typeof SendBody>;

/** A send that says what it should, before anybody has asked whether it may. */
export interface ReadSend {
  /** null: that of the template. */
  from: Mailbox | null;
  /** One private message each; for a grouped message its `to`. Without duplicates. */
  to: Mailbox[];
  /** null: private copies. */
  grouped: { cc: Mailbox[]; bcc: Mailbox[] } | null;
  duplicates: number;
  replyTo: Mailbox[];
  subject: string;
  /** With the preheader in it. */
  html: string | null;
  /** As given; null is made from the html. */
  text: string | null;
  /** The html as given: what a text is made from, so that it does not begin with the preheader. */
  htmlWithoutPreheader: string | null;
  /** There is no html for the preheader that was given. */
  isPreheaderUnused: boolean;
  headers: Record<string, string>;
  inReplyTo: string | null;
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  attachments: Attachment[];
  /** null: as the workspace has set. */
  trackOpens: boolean | null;
  trackClicks: boolean | null;
  expiresAt: Date | null;
  /** The records that it belongs to. */
  newsletterId: string | null;
  sandbox: boolean;
  /** null: the texts are sent as they are. */
  liquid: Liquid | null;
  /** null: it leaves at once. */
  schedule: AskedSchedule | null;
}

/** The data of a send whose texts are Liquid. */
export interface Liquid {
  templateId: string | null;
  /** null: the published one. */
  templateVersion: number | null;
  preheader: string | null;
  variables: Readonly<Record<string, unknown>>;
  /** By the identity of an address. */
  ofRecipients: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  strict: boolean;
}

// C0 (tab and line breaks too), DEL, C1, and the two Unicode line ends: none may stand in one line of a header.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Reads the fields whose types are right. Throws one error that names everything that is wrong. */
export function readSend(input: Partial<SendInput>, faults: Faults, now: Date): ReadSend {
  const from = readFrom(input, faults);
  const recipients = readRecipients(input, faults);
  const replyTo = withoutDuplicates(readMailboxes(input.replyTo, 'replyTo', faults));
  const content = readContent(input, faults);
  const liquid = readLiquid(input, recipients, faults);
  const headers = input.headers ?? {};
  checkHeaders(headers, faults);
  const inReplyTo = readInReplyTo(input.inReplyTo, faults);
  const metadata = input.metadata ?? {};
  checkMetadata(metadata, faults);
  const attachments = readFiles(input, faults);
  const expiresAt = readExpiry(input.expiresAt, now, faults);
  faults.throwIfAny();
  const read = {
    from,
    ...recipients,
    replyTo,
    ...content,
    headers,
    inReplyTo,
    tags: (input.tags ?? []).map(({ name, value }) => ({ name, value })),
    metadata,
    attachments,
    trackOpens: input.trackOpens ?? null,
    trackClicks: input.trackClicks ?? null,
    expiresAt,
    newsletterId: input.newsletterId ?? null,
    sandbox: input.sandbox ?? false,
    liquid,
    schedule: scheduleOf(input),
  };
  // Of a template the sender and the subject are not known yet.
  if (liquid === null && from !== null) requireHeadersFit({ ...read, from });
  return read;
}

/** Refuses a send whose messages would have more headers than providers take. */
export function requireHeadersFit(read: Parameters<typeof headersTooLarge>[0]): void {
  const tooLarge = headersTooLarge(read);
  if (tooLarge !== null) throw unacceptable('headers', tooLarge);
}

function readFrom(input: Partial<SendInput>, faults: Faults): Mailbox | null {
  if (input.from !== undefined && input.from !== null) return readMailbox(input.from, 'from', faults) ?? null;
  if (!isGiven(input.templateId) && faults.isSound('from', 'templateId')) {
    faults.unreadable('from', 'from is required');
  }
  return null;
}

/** The same for a request whose send may have to wait: the faults of its time stand beside the others. */
export async function readTimedSend(input: Partial<SendInput>, faults: Faults, now: Date): Promise<ReadSend> {
  await judgeTime(input, 'scheduledFor', faults, now);
  if (typeof input.maxDelaySeconds === 'number' && typeof input.scheduledFor !== 'string') {
    faults.unreadable('maxDelaySeconds', 'maxDelaySeconds counts from scheduledFor, which is missing');
  }
  return readSend(input, faults, now);
}

function scheduleOf(given: Partial<SendInput>): AskedSchedule | null {
  const { scheduledFor, timezone, maxDelaySeconds, ...input } = given;
  return scheduledFor === undefined || scheduledFor === null
    ? null
    : { scheduledFor, timezone: timezone ?? null, maxDelaySeconds: maxDelaySeconds ?? null, input };
}

/** null and empty objects are what clients send that fill in every field they know. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);

function readRecipients(input: Partial<SendInput>, faults: Faults): Pick<ReadSend, 'to' | 'grouped' | 'duplicates'> {
  const given = readMailboxes(input.to, 'to', faults);
  const seen = new Set<string>();
  const to = withoutDuplicates(given, seen);
  const copies = { cc: readMailboxes(input.cc, 'cc', faults), bcc: readMailboxes(input.bcc, 'bcc', faults) };
  const isGrouped = input.groupRecipients === true || copies.cc.length > 0 || copies.bcc.length > 0;
  if (!isGrouped) return { to, grouped: null, duplicates: given.length - to.length };
  const cc = withoutDuplicates(copies.cc, seen);
  const bcc = withoutDuplicates(copies.bcc, seen);
  if (seen.size > LIMITS.groupedRecipients) {
    faults.unreadable(
      'to',
      `to, cc and bcc may have at most ${LIMITS.groupedRecipients} addresses together in one message.`,
    );
  }
  const duplicates = given.length + copies.cc.length + copies.bcc.length - seen.size;
  return { to, grouped: { cc, bcc }, duplicates };
}

function readContent(
  input: Partial<SendInput>,
  faults: Faults,
): Pick<ReadSend, 'subject' | 'html' | 'text' | 'htmlWithoutPreheader' | 'isPreheaderUnused'> {
  const subject = input.subject ?? '';
  const hasTemplate = isGiven(input.templateId);
  if (subject.trim() === '' && !hasTemplate) faults.unreadable('subject', 'subject is required');
  if (CONTROL.test(subject)) faults.unreadable('subject', 'subject must not have control characters or line breaks');
  // An empty text counts as none: clients that fill in every field send one.
  const html = input.html === '' ? null : (input.html ?? null);
  const text = input.text === '' ? null : (input.text ?? null);
  // A template would be the content: its own fault is enough. So is the fault of a content that is no text.
  const isSound = faults.isSound('html', 'text', 'templateId');
  if (hasTemplate && (html !== null || text !== null)) {
    const field = html === null ? 'text' : 'html';
    faults.unacceptable(field, `${field} cannot be combined with templateId: the template has it`);
  }
  if (isSound && html === null && text === null && !hasTemplate) {
    faults.unreadable('html', 'html or text is required');
  }
  for (const [field, body] of [
    ['html', html],
    ['text', text],
  ] as const) {
    if (body !== null && Buffer.byteLength(body, 'utf8') > LIMITS.bodyBytes) {
      faults.unreadable(field, `${field} must be at most 2 MB`);
    }
  }
  const preheader = input.preheader ?? '';
  if (CONTROL.test(preheader))
    faults.unreadable('preheader', 'preheader must not have control characters or line breaks');
  const hasPreheader = preheader.trim() !== '';
  return {
    subject,
    html: html === null || !hasPreheader || isLiquid(input) ? html : insertPreheader(html, preheader),
    text,
    htmlWithoutPreheader: html,
    isPreheaderUnused: html === null && hasPreheader && !hasTemplate,
  };
}

const isLiquid = ({ templateId, variables, recipientVariables }: Partial<SendInput>): boolean =>
  [templateId, variables, recipientVariables].some(isGiven);

function readLiquid(
  input: Partial<SendInput>,
  { to, grouped }: Pick<ReadSend, 'to' | 'grouped'>,
  faults: Faults,
): Liquid | null {
  const { templateId, templateVersion, preheader } = input;
  if (isGiven(templateVersion) && !isGiven(templateId) && faults.isSound('templateId')) {
    faults.unacceptable('templateVersion', 'templateVersion needs templateId');
  }
  if (!isLiquid(input)) return null;
  const ofRecipients = readOfRecipients(input, to, faults);
  if (ofRecipients.size > 0 && grouped !== null) {
    faults.unacceptable(
      'recipientVariables',
      'recipientVariables cannot be combined with cc, bcc and groupRecipients: all of them get one message',
    );
  }
  return {
    templateId: templateId ?? null,
    templateVersion: typeof templateVersion === 'number' ? templateVersion : null,
    preheader: preheader === undefined || preheader === null || preheader.trim() === '' ? null : preheader,
    variables: input.variables ?? {},
    ofRecipients,
    strict: input.strictVariables ?? true,
  };
}

function readOfRecipients(
  { recipientVariables }: Partial<SendInput>,
  to: readonly Mailbox[],
  faults: Faults,
): Liquid['ofRecipients'] {
  const known = new Set(to.map(({ identity }) => identity));
  const ofRecipients = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [address, values] of Object.entries(recipientVariables ?? {})) {
    const param = `recipientVariables.${address.slice(0, 100)}`;
    const identity = readMailbox(address, param, faults)?.identity;
    if (identity === undefined || !faults.isSound('to')) continue;
    if (!known.has(identity)) faults.unacceptable(param, `${param}: this address is not in to`);
    if (ofRecipients.has(identity)) faults.unreadable(param, `${param}: this address was given twice`);
    ofRecipients.set(identity, values);
  }
  return ofRecipients;
}

function checkHeaders(headers: Record<string, string>, faults: Faults): void {
  for (const { header, problem, malformed } of checkCustomHeaders(headers)) {
    const param = header === '' ? 'headers' : `headers.${header.slice(0, 126)}`;
    const sentence = `${param}: ${problem}`;
    if (malformed) faults.unreadable(param, sentence);
    else faults.unacceptable(param, sentence);
  }
}

function readInReplyTo(given: string | null | undefined, faults: Faults): string | null {
  if (given === null || given === undefined) return null;
  const id = parseMessageId(given);
  if (id === undefined) faults.unreadable('inReplyTo', 'inReplyTo must be one Message-ID such as <id@example.com>');
  return id ?? null;
}

function checkMetadata(metadata: Record<string, unknown>, faults: Faults): void {
  if (Object.keys(metadata).length > LIMITS.metadataKeys) {
    faults.unreadable('metadata', `metadata must have at most ${LIMITS.metadataKeys} keys`);
  } else if (Buffer.byteLength(JSON.stringify(metadata), 'utf8') > LIMITS.metadataBytes) {
    faults.unreadable('metadata', 'metadata must be at most 16 KB as JSON');
  }
}

function readFiles(input: Partial<SendInput>, faults: Faults): Attachment[] {
  const { attachments, problems } = readAttachments(
    (input.attachments ?? []).map(({ filename, content, contentType, contentId, disposition }) => ({
      filename,
      content,
      contentType: contentType ?? null,
      contentId: contentId ?? null,
      disposition: disposition ?? (contentId === null || contentId === undefined ? 'attachment' : 'inline'),
    })),
  );
  for (const { index, field, problem, malformed } of problems) {
    const param =
      index === null ? 'attachments' : field === null ? `attachments[${index}]` : `attachments[${index}].${field}`;
    // A limit of the list as a whole is a limit like any other.
    if (malformed || index === null) faults.unreadable(param, `${param}: ${problem}`);
    else faults.unacceptable(param, `${param}: ${problem}`);
  }
  return attachments;
}

function readExpiry(given: string | null | undefined, now: Date, faults: Faults): Date | null {
  if (given === null || given === undefined) return null;
  const expiresAt = new Date(given);
  if (expiresAt <= now) faults.unacceptable('expiresAt', 'expiresAt is in the past: the email would never be sent');
  return expiresAt;
}
