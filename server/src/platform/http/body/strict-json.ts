import { AppError, invalid } from '../../errors/app-error.ts';
import { TOO_MANY_FIELDS } from '../fields/read-fields.ts';

const DEPTH_MAX = 32;
/** A body of 40 MB could hold 20 million numbers, and keep the process busy for seconds. */
const VALUES_MAX = 1_000_000;
/** A name costs as much as ten numbers: 100,000 take 0.1 s on a fast machine. A batch may have 1,000 in each item. */
const NAMES_MAX = 100_000;
const PATH_CHARACTERS_MAX = 256;
const NAME_CHARACTERS_MAX = 64;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const malformed = (why: string): AppError => new AppError('validation_error', `The body is not valid JSON: ${why}.`);
/** JSON by the standard, and not by a rule of ours. */
const unaccepted = (why: string): AppError =>
  new AppError('validation_error', `The body is JSON that Posthorn does not accept: ${why}.`);

/** The first field beyond the most is the one that is named. */
export const tooManyFields = (what: string, name: string): AppError =>
  invalid(name.slice(0, NAME_CHARACTERS_MAX), `The ${what} ${TOO_MANY_FIELDS}.`);

/**
 * JSON as we accept it from strangers. Stricter than JSON.parse where two parsers could disagree or a value would
 * change on the way to the database: UTF-8 only and no byte order mark, no key twice in one object, no `__proto__`,
 * at most 32 levels (JSON.stringify overflows near 5,000), a million values and 100,000 names of fields, no numbers
 * that JavaScript would round or make infinite, and no NUL or lone surrogate in any text, which jsonb refuses.
 * `fieldsMax` bounds the fields of the outermost object, before it is made.
 */
export function parseStrictJson(
  bytes: Buffer,
  { fieldsMax = VALUES_MAX }: { fieldsMax?: number | undefined } = {},
): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
  scan(text, fieldsMax);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(
      error instanceof Error ? error.message.replace(/, (\.\.\.)?".*/s, '').replace(/\s+in JSON.*/s, '') : 'syntax',
    );
  }
  // Only an escape can bring in what the UTF-8 decoder has not already refused.
  if (text.includes('\\u')) refuseBadText(value, '');
  return value;
}

/** One pass over the text: size, depth, duplicate keys and numbers. Everything else is left to JSON.parse. */
function scan(text: string, fieldsMax: number): void {
  // Keys seen per open object; null stands for an array.
  const open: (Set<string> | null)[] = [];
  let values = 0;
  let names = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x2c) {
      values += 1;
      if (values > VALUES_MAX) throw unaccepted(`it has more than ${VALUES_MAX} values`);
      index += 1;
    } else if (code === 0x22) {
      const end = endOfString(text, index);
      const keys = open.at(-1);
      if (keys instanceof Set && isFollowedByColon(text, end + 1)) {
        names += 1;
        if (names > NAMES_MAX) throw unaccepted(`it has more than ${NAMES_MAX} names of fields`);
        addKey(keys, text.slice(index, end + 1));
        if (open.length === 1 && keys.size > fieldsMax) throw tooManyFields('body', text.slice(index + 1, end));
      }
      index = end + 1;
    } else if (code === 0x7b || code === 0x5b) {
      open.push(code === 0x7b ? new Set() : null);
      if (open.length > DEPTH_MAX) throw unaccepted(`it is nested deeper than ${DEPTH_MAX} levels`);
      index += 1;
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      index += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = index;
      const number = NUMBER.exec(text)?.[0] ?? '-';
      checkNumber(number);
      index += number.length;
    } else {
      index += 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  throw malformed('a string does not end');
}

function isFollowedByColon(text: string, from: number): boolean {
  let index = from;
  let code = text.charCodeAt(index);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
    index += 1;
    code = text.charCodeAt(index);
  }
  return code === 0x3a;
}

function addKey(keys: Set<string>, quoted: string): void {
  let key = quoted.slice(1, -1);
  if (key.includes('\\')) {
    try {
      key = String(JSON.parse(quoted));
    } catch {
      throw malformed('a key has a bad escape');
    }
  }
  if (key === '__proto__') throw unaccepted('the key "__proto__" is not allowed');
  if (keys.has(key)) throw unaccepted(`the key ${JSON.stringify(key.slice(0, 64))} stands twice in one object`);
  keys.add(key);
}

function checkNumber(text: string): void {
  const value = Number(text);
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) || isFraction(text) : !Number.isFinite(value))
    throw unaccepted(`the number ${text.slice(0, 32)} cannot be kept exactly; write it as a string`);
}

/**
 * True for a number that has a fraction as written: one that became whole was rounded (1.0000000000000001, 1e-400),
 * and a limit would be another than the caller set. Other decimals may be rounded in their last digit, as everywhere.
 */
function isFraction(text: string): boolean {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e', 2);
  const point = mantissa.indexOf('.');
  if (point === -1 && !exponent.startsWith('-')) return false;
  const digits = mantissa.replace('.', '').replace('-', '');
  let last = digits.length;
  while (last > 0 && digits[last - 1] === '0') last -= 1;
  if (last === 0) return false;
  const decimals = (point === -1 ? 0 : mantissa.length - point - 1) - (digits.length - last);
  return decimals > Number(exponent);
}

function refuseBadText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const problem = value.includes('\u0000')
      ? 'must not have a NUL character'
      : 'has half of a surrogate pair (\\ud800 to \\udfff alone)';
    if (value.isWellFormed() && !value.includes('\u0000')) return;
    const where = path.slice(0, PATH_CHARACTERS_MAX);
    throw where === '' ? unaccepted(`it ${problem}`) : invalid(where, `${where} ${problem}`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => refuseBadText(item, `${path}[${index}]`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseBadText(key, path);
      refuseBadText(item, path === '' ? key : `${path}.${key}`);
    }
  }
}
