/**
 * A body as the log keeps it: without secrets, without the texts and files of mail, and short. The texts are in the
 * record of the email; here they would be a second copy of the largest and most private part of a request.
 */
const SECRET =
  /pass(word|wd|phrase)|secret|token|apikey|authorization|cookie|credential|privatekey|signature|recoverycode|otp/;
const SECRET_NAMES: ReadonlySet<string> = new Set(['key', 'code', 'pin', 'pass']);
/** The texts of mail, files, and the values that fill a text in for one person. */
const CONTENT_NAMES: ReadonlySet<string> = new Set([
  'html',
  'htmlbody',
  'text',
  'textbody',
  'body',
  'amp',
  'markdown',
  'content',
  'raw',
  'mime',
  'data',
  'base64',
  'variables',
  'recipientvariables',
  'substitutions',
  'mergedata',
]);
const SECRET_VALUES =
  /\b(?:ph_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[\w+/=-]{8,}|prt_[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;
const SECRET_PARAMETERS = /([?&#](?:token|sig|signature|key|code|t|secret|password)=)[^&#\s"'<>]+/gi;

const CHARS_MAX = 8_000;
const STRING_CHARS_MAX = 500;
const ITEMS_MAX = 20;
const FIELDS_MAX = 60;
const DEPTH_MAX = 8;
const HIDDEN = '[hidden]';
const CUT = '[cut]';

/** The body as JSON text of at most about 8 KB; null: there is none. */
export function redactedBody(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  if (Buffer.isBuffer(body)) return JSON.stringify(`[${body.length} bytes]`);
  return JSON.stringify(redact(body, 0, { left: CHARS_MAX }));
}

/** A query string without the values of secrets; null: there is none. */
export function redactedQuery(query: string): string | null {
  if (query === '') return null;
  const params = new URLSearchParams(query);
  for (const name of new Set(params.keys())) if (isSecret(name) || name === 't') params.set(name, HIDDEN);
  return withoutSecrets(params.toString()).slice(0, STRING_CHARS_MAX * 2);
}

interface Budget {
  left: number;
}

function redact(value: unknown, depth: number, budget: Budget): unknown {
  if (budget.left <= 0) return CUT;
  if (typeof value === 'string') return take(shortened(withoutSecrets(value)), budget);
  if (typeof value !== 'object' || value === null) return take(value, budget);
  if (depth === DEPTH_MAX) return CUT;
  return Array.isArray(value) ? redactItems(value, depth, budget) : redactFields(value, depth, budget);
}

function redactItems(items: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const kept: unknown[] = [];
  for (const item of items.slice(0, ITEMS_MAX)) {
    if (budget.left <= 0) break;
    kept.push(redact(item, depth + 1, budget));
  }
  return kept.length === items.length ? kept : [...kept, `[${items.length - kept.length} more]`];
}

function redactFields(fields: object, depth: number, budget: Budget): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  const names = Object.keys(fields);
  for (const name of names.slice(0, FIELDS_MAX)) {
    if (budget.left <= 0) break;
    budget.left -= name.length + 4;
    kept.push([shortened(name), redactField(name, Reflect.get(fields, name), depth, budget)]);
  }
  if (kept.length < names.length) kept.push(['…', `[${names.length - kept.length} more]`]);
  return Object.fromEntries(kept);
}

function redactField(name: string, value: unknown, depth: number, budget: Budget): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (isSecret(name)) return take(HIDDEN, budget);
  if (!CONTENT_NAMES.has(plain(name))) return redact(value, depth + 1, budget);
  if (typeof value === 'string') return take(`[${value.length} characters]`, budget);
  // `data` of a list and `content` of blocks are structure; values for one person have no name of their own here.
  if (Array.isArray(value)) return redact(value, depth + 1, budget);
  return typeof value === 'object' ? take(`[${Object.keys(value).length} values]`, budget) : take(value, budget);
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const isSecret = (name: string): boolean => SECRET.test(plain(name)) || SECRET_NAMES.has(plain(name));

const withoutSecrets = (text: string): string =>
  text.replace(SECRET_VALUES, HIDDEN).replace(SECRET_PARAMETERS, `$1${HIDDEN}`);

/** Cut between words: half of an address would be found by nobody who looks for the whole. */
const shortened = (text: string): string =>
  text.length <= STRING_CHARS_MAX
    ? text
    : `${text.slice(0, STRING_CHARS_MAX).replace(/\S*$/, '')}[${text.length} characters]`;

function take<T>(value: T, budget: Budget): T {
  budget.left -= String(value).length + 3;
  return value;
}
