/** The fields by which a message says how it is to be sent. They are read and taken out: no receiver sees them. */
import { SEND_LIMITS } from '#features/emails';
import { decodeEncodedWords } from '#mail/raw/shown-fields.ts';
import { trackableHtml } from '#mail/raw/trackable-html.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { parseStrictJson } from '#platform/http/body/strict-json.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';

export interface ControlFields {
  tags: { name: string; value: string }[];
  metadata: Record<string, unknown>;
  /** null: the message has none. */
  idempotencyKey: string | null;
  /** null: as the workspace has set. */
  trackOpens: boolean | null;
  trackClicks: boolean | null;
  /** The id or the alias of a template, whose texts are sent. null: the message leaves as it is. */
  template: string | null;
  variables: Record<string, unknown>;
  /** The time at which it leaves, as it was written. null: at once. */
  schedule: string | null;
}

const PREFIX = 'x-service-';
const IDEMPOTENCY_KEY = 'x-idempotency-key';
export const SCHEDULE = 'X-Service-Schedule';
const KNOWN = [
  'X-Service-Tags',
  'X-Service-Metadata',
  'X-Service-Track-Opens',
  'X-Service-Track-Clicks',
  'X-Service-Template',
  'X-Service-Variables',
  SCHEDULE,
] as const;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;
const KEY = /^[\x21-\x7e]{1,256}$/;
const TEMPLATE_CHARS_MAX = 100;
/** Room for the 16 KB of metadata as encoded words. */
const VALUE_CHARS_MAX = 48 * 1024;

const refuse = (message: string): SmtpReply => new SmtpReply(554, message, '5.6.0');

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
    const metadata = await this.#one('X-Service-Metadata');
    const key = await this.#one('X-Idempotency-Key');
    if (key !== null && !KEY.test(key)) {
      throw refuse('X-Idempotency-Key must be 1 to 256 printable ASCII characters without spaces');
    }
    return {
      tags: readTags(this.#given.get('x-service-tags') ?? []),
      metadata: metadata === null ? {} : readMetadata(metadata),
      idempotencyKey: key,
      trackOpens: readSwitch('X-Service-Track-Opens', await this.#one('X-Service-Track-Opens')),
      trackClicks: readSwitch('X-Service-Track-Clicks', await this.#one('X-Service-Track-Clicks')),
      ...readTemplate(await this.#one('X-Service-Template'), await this.#one('X-Service-Variables')),
      schedule: readSchedule(await this.#one(SCHEDULE)),
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
  throw refuse(`${field} is not known; the fields are ${KNOWN.join(', ')} and X-Idempotency-Key`);
}

/** Refuses to track a message that may not be changed: nobody shall wait for opens that are never reported. */
export function refuseTracking(control: Pick<ControlFields, 'trackOpens' | 'trackClicks'>, mime: Buffer): void {
  const asked = [
    ['X-Service-Track-Opens', control.trackOpens],
    ['X-Service-Track-Clicks', control.trackClicks],
  ] as const;
  for (const [field] of asked.filter(([, isAsked]) => isAsked === true)) {
    const found = trackableHtml(mime);
    if ('html' in found || found.why === null) continue;
    throw new SmtpReply(554, `${field}: the message cannot be tracked, because ${found.why}`, '5.3.3');
  }
}

function readSwitch(field: string, value: string | null): boolean | null {
  if (value === null) return null;
  if (/^(no|false|off|0)$/i.test(value)) return false;
  if (!/^(yes|true|on|1)$/i.test(value)) throw refuse(`${field} must be yes or no`);
  return true;
}

function readTemplate(
  template: string | null,
  variables: string | null,
): Pick<ControlFields, 'template' | 'variables'> {
  if (template === null && variables !== null) {
    throw refuse('X-Service-Variables are the values of a template: name it in X-Service-Template');
  }
  if (template !== null && (template === '' || template.length > TEMPLATE_CHARS_MAX)) {
    throw refuse(
      `X-Service-Template must be the id or the alias of a template, at most ${TEMPLATE_CHARS_MAX} characters`,
    );
  }
  return { template, variables: variables === null ? {} : readObject('X-Service-Variables', variables) };
}

function readSchedule(value: string | null): string | null {
  if (value === '') throw refuse(`${SCHEDULE} is empty: give the time at which the message is to leave`);
  return value;
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
  const metadata = readObject('X-Service-Metadata', text);
  if (Object.keys(metadata).length > SEND_LIMITS.metadataKeys) {
    throw refuse(`X-Service-Metadata has more than ${SEND_LIMITS.metadataKeys} keys`);
  }
  if (Buffer.byteLength(JSON.stringify(metadata), 'utf8') > SEND_LIMITS.metadataBytes) {
    throw refuse('X-Service-Metadata is larger than 16 KB');
  }
  return metadata;
}

function readObject(field: string, text: string): Record<string, unknown> {
  const read = parse(field, text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw refuse(`${field} must be a JSON object`);
  return { ...read };
}

function parse(field: string, text: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof AppError) throw refuse(`${field}: ${error.message.replace('The body', 'it')}`);
    throw error;
  }
}
