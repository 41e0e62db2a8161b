/** The fields by which a message says how it is to be sent. They are read and taken out: no receiver sees them. */
import { SEND_LIMITS } from '#features/emails';
import { decodeEncodedWords } from '#mail/raw/shown-fields.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { parseStrictJson } from '#platform/http/body/strict-json.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';

export interface ControlFields {
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  /** null: the message has none. */
  idempotencyKey: string | null;
}

const PREFIX = 'x-service-';
const IDEMPOTENCY_KEY = 'x-idempotency-key';
const KNOWN = ['X-Service-Tags', 'X-Service-Metadata', 'X-Service-Track-Opens', 'X-Service-Track-Clicks'] as const;
/** Features of later versions: a message that asks for one is refused, or the wrong thing would be sent. */
const LATER = ['x-service-schedule', 'x-service-template', 'x-service-variables'];
const TAG = /^[A-Za-z0-9_-]{1,256}$/;
const KEY = /^[\x21-\x7e]{1,256}$/;
/** Room for the 16 KB of metadata as encoded words. */
const VALUE_CHARS_MAX = 48 * 1024;

const refuse = (message: string): SmtpReply => new SmtpReply(554, message, '5.6.0');
const notAvailable = (message: string): SmtpReply => new SmtpReply(554, message, '5.3.3');

/** Collects the fields while a message is read, and reads them afterwards. */
export class ControlFieldReader {
  readonly #given = new Map<string, string[]>();

  /** True: the field is one of ours and leaves the message. */
  take(name: string, value: string): boolean {
    if (name !== IDEMPOTENCY_KEY && !name.startsWith(PREFIX)) return false;
    this.#given.set(name, [...(this.#given.get(name) ?? []), value]);
    return true;
  }

  /** Throws an SmtpReply that names the field. */
  async read(): Promise<ControlFields> {
    for (const name of this.#given.keys()) refuseUnknown(name);
    for (const field of ['X-Service-Track-Opens', 'X-Service-Track-Clicks'])
      refuseTracking(field, await this.#one(field));
    const metadata = await this.#one('X-Service-Metadata');
    const key = await this.#one('X-Idempotency-Key');
    if (key !== null && !KEY.test(key)) {
      throw refuse('X-Idempotency-Key must be 1 to 256 printable ASCII characters without spaces');
    }
    return {
      tags: readTags(this.#given.get('x-service-tags') ?? []),
      metadata: metadata === null ? {} : readMetadata(metadata),
      idempotencyKey: key,
    };
  }

  async #one(field: string): Promise<string | null> {
    const values = this.#given.get(field.toLowerCase()) ?? [];
    if (values.length > 1) throw refuse(`${field} stands more than once`);
    const [value] = values;
    if (value === undefined) return null;
    if (value.length > VALUE_CHARS_MAX) throw refuse(`${field} is too long`);
    // Mail programs write text that is not ASCII, and long text, as encoded words.
    return /=\?.*\?=/s.test(value) ? decodeEncodedWords(value) : value;
  }
}

function refuseUnknown(name: string): void {
  if (name === IDEMPOTENCY_KEY || KNOWN.some((known) => known.toLowerCase() === name)) return;
  const field = name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()).slice(0, 60);
  if (LATER.includes(name)) throw notAvailable(`${field} is not available in this version; leave it out`);
  throw refuse(`${field} is not known; the fields are ${KNOWN.join(', ')} and X-Idempotency-Key`);
}

/** Messages leave as they are, so there is nothing to turn off; asking for it would be asking in vain. */
function refuseTracking(field: string, value: string | null): void {
  if (value === null || /^(no|false|off|0)$/i.test(value)) return;
  if (!/^(yes|true|on|1)$/i.test(value)) throw refuse(`${field} must be yes or no`);
  throw notAvailable(`${field}: messages of the relay leave as they are and are not tracked; use POST /v1/send`);
}

function readTags(values: readonly string[]): ControlFields['tags'] {
  const entries = values.flatMap((value) => value.split(',')).map((entry) => entry.trim());
  const tags = entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', value = '', more] = entry.split('=');
      if (!TAG.test(name) || !TAG.test(value) || more !== undefined) {
        throw refuse(
          'X-Service-Tags must be name=value, with commas between them; names and values have 1 to 256 letters, digits, underscores and hyphens',
        );
      }
      return { name, value };
    });
  if (tags.length > SEND_LIMITS.tags) throw refuse(`X-Service-Tags has more than ${SEND_LIMITS.tags} tags`);
  return tags;
}

function readMetadata(text: string): Record<string, unknown> {
  const read = parse(text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw refuse('X-Service-Metadata must be a JSON object');
  }
  const metadata: Record<string, unknown> = { ...read };
  if (Object.keys(metadata).length > SEND_LIMITS.metadataKeys) {
    throw refuse(`X-Service-Metadata has more than ${SEND_LIMITS.metadataKeys} keys`);
  }
  if (Buffer.byteLength(JSON.stringify(metadata), 'utf8') > SEND_LIMITS.metadataBytes) {
    throw refuse('X-Service-Metadata is larger than 16 KB');
  }
  return metadata;
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof AppError) throw refuse(`X-Service-Metadata: ${error.message.replace('The body', 'it')}`);
    throw error;
  }
}
