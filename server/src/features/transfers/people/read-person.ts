import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import { readTime } from '#platform/csv/read-time.ts';
import { storableText } from '#platform/db/storable-text.ts';
import { parseStrictJson } from '#platform/http/body/strict-json.ts';
import type { Layout } from '../imports/layout.ts';
import type { BadRow } from '../transfer-target.ts';
import type { Field } from './person-fields.ts';
import { LEAVE_REASONS, type LeaveReason, type PersonStatus, readStanding, type Standing } from './standing.ts';

/** A row of a file that is somebody. */
export interface PersonRow {
  line: number;
  email: string;
  name: string | null;
  source: string | null;
  metadata: Record<string, unknown>;
  /** The file's statement about them; null: nothing. */
  status: PersonStatus | null;
  /** Why they left, when the file tells. */
  reason: LeaveReason | null;
  createdAt: Date | null;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
  /** As a file of ours has it; nothing has checked what is in it. */
  consent: Record<string, unknown> | null;
  signupIp: string | null;
  confirmedIp: string | null;
  confirmationSentAt: Date | null;
  confirmationCount: number;
  lastOpenedAt: Date | null;
  lastClickedAt: Date | null;
}

const TEXT_CHARS_MAX = 200;
const METADATA_BYTES_MAX = 16_384;
const TAGS_MAX = 100;
const EMAIL_CHARS_KEPT = 320;
/** Nobody subscribed before there was mail like this; a year 0001 is a program's word for "never". */
const YEAR_MIN = 1990;

class RowFault extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a row by the layout of its file. `valueOf` gives what stands in a column: a text, or in JSON anything. */
export function readPerson(
  line: number,
  layout: Layout,
  valueOf: (column: string) => unknown,
  now: Date,
): PersonRow | BadRow {
  const value = (field: Field): unknown => {
    const column = layout.fields[field];
    return column === undefined ? undefined : valueOf(column);
  };
  const text = (field: Field): string => textOf(value(field));
  const time = (field: Field): Date | null => timeOf(text(field), now);
  const typed = text('email');
  try {
    const standing = readStanding(value);
    if (standing === undefined) {
      throw new RowFault('unknown_status', `The status "${text('status').slice(0, 50)}" is none that we know.`);
    }
    const metadata = metadataOf(value, layout, valueOf);
    const told = text('unsubscribe_reason') || metadata['unsubscribe_reason'];
    delete metadata['unsubscribe_reason'];
    return {
      line,
      email: addressOf(typed),
      name: nameOf(text),
      source: shortText('source', text('source')),
      metadata,
      status: standing.status,
      reason: standing.status === 'unsubscribed' ? reasonOf(told, standing, layout) : null,
      createdAt: time('created_at'),
      confirmedAt: time('confirmed_at'),
      unsubscribedAt: time('unsubscribed_at') ?? time('cleaned_at'),
      consent: objectOf(value('consent'), 'consent'),
      signupIp: shortText('ip', text('ip')),
      confirmedIp: shortText('confirmed_ip', text('confirmed_ip')),
      confirmationSentAt: time('confirmation_sent_at'),
      confirmationCount: Math.min(Number(/^\d{1,4}$/.exec(text('confirmation_count'))?.[0] ?? 0), 1_000),
      lastOpenedAt: time('last_opened_at'),
      lastClickedAt: time('last_clicked_at'),
    };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return { line, email: keptAddress(typed), reason: error.code, message: error.message };
  }
}

/** The kept part of a cell of any content: an address as everywhere, so that erasing it finds it here too. */
function keptAddress(text: string): string {
  try {
    return addressOf(text);
  } catch {
    return storableText(text.slice(0, EMAIL_CHARS_KEPT));
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

function addressOf(typed: string): string {
  try {
    const mailbox = parseMailbox(typed.trim());
    return mailbox.identity;
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new RowFault('invalid_email', error.reason);
  }
}

function nameOf(text: (field: Field) => string): string | null {
  const whole = text('name');
  return shortText('name', whole === '' ? `${text('first_name')} ${text('last_name')}`.trim() : whole);
}

function shortText(field: string, text: string): string | null {
  if (text === '') return null;
  if (text.length > TEXT_CHARS_MAX)
    throw new RowFault('too_long', `${field} is longer than ${TEXT_CHARS_MAX} characters.`);
  return storableText(text);
}

function timeOf(text: string, now: Date): Date | null {
  const time = text === '' ? undefined : readTime(text);
  if (time === undefined || time.getUTCFullYear() < YEAR_MIN) return null;
  return time > now ? now : time;
}

function metadataOf(
  value: (field: Field) => unknown,
  layout: Layout,
  valueOf: (column: string) => unknown,
): Record<string, unknown> {
  const metadata = objectOf(value('metadata'), 'metadata') ?? {};
  const tags = tagsOf(value('tags'));
  if (tags.length > 0) metadata['tags'] = tags;
  for (const [key, column] of Object.entries(layout.metadata)) {
    const found = valueOf(column);
    if (found === undefined || found === null || found === '') continue;
    // Defines an own property, whatever the key is called.
    Object.defineProperty(metadata, key, {
      value: found,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  if (Object.keys(metadata).length > 0 && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    throw new RowFault('too_long', `metadata is larger than ${METADATA_BYTES_MAX} bytes.`);
  }
  return metadata;
}

/** A cell of JSON, or in lines of JSON the thing itself; null when there is none. */
function objectOf(value: unknown, field: string): Record<string, unknown> | null {
  if (value === undefined || value === null || value === '') return null;
  let read: unknown = value;
  if (typeof value === 'string') {
    try {
      read = parseStrictJson(Buffer.from(value));
    } catch {
      throw new RowFault('invalid_json', `${field} is not JSON.`);
    }
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new RowFault('invalid_json', `${field} is not a JSON object.`);
  }
  return { ...read };
}

/** `a, b`, `"a","b"` or a JSON array. */
function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value)
    ? value.map(textOf)
    : textOf(value)
        .replace(/^\[|\]$/g, '')
        .split(',');
  return list
    .map((tag) =>
      storableText(
        tag
          .trim()
          .replace(/^["']|["']$/g, '')
          .slice(0, TEXT_CHARS_MAX),
      ),
    )
    .filter((tag) => tag !== '')
    .slice(0, TAGS_MAX);
}

/** Our own exports always say it, or that there is none; of others that do not tell, it was by way of a program. */
function reasonOf(told: unknown, standing: Standing, layout: Layout): LeaveReason | null {
  const known = LEAVE_REASONS.find((reason) => reason === told);
  if (known !== undefined) return known;
  return standing.reason ?? (layout.fields['consent'] === undefined ? 'api' : null);
}
