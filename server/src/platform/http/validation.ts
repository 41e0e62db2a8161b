import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { withThousands } from '../english.ts';
import { isUuid } from '../ids.ts';
import { isInstant } from '../time/instant.ts';
import { openCursor } from './cursor.ts';
import { ofMeantBranches } from './meant-branch.ts';
import { ownEntry } from '../own-entry.ts';

const DETAILS_MAX = 20;
const PARAM_CHARACTERS_MAX = 256;
/** Values beyond this many are told their first fault only: an error object per item would fill the memory. */
const VALUES_EXPLAINED_MAX = 5_000;

const firstFault = makeAjv(false);
const everyFault = makeAjv(true);

function makeAjv(allErrors: boolean): Ajv2020 {
  // Verbose errors carry their schema, whose example says what a pattern means.
  const ajv = new Ajv2020({ allErrors, strict: false, coerceTypes: false, useDefaults: false, verbose: allErrors });
  // Only the canonical form, which is the only one we issue: one record has one path.
  ajv.addFormat('uuid', { validate: isUuid });
  ajv.addFormat('date-time', { validate: isInstant });
  ajv.addFormat('cursor', { validate: (text: string) => openCursor(text) !== undefined });
  ajv.addFormat('email', true);
  ajv.addFormat('uri', { validate: (text: string) => URL.canParse(text) });
  return ajv;
}

/** Checks a value; returns the failures as one sentence per field. */
export type Check = (value: unknown) => FieldFault[];

export interface FieldFault {
  /** As the caller wrote it: `emails[3].to[0]`; '' for the whole value. */
  param: string;
  message: string;
  /** The field that was meant: it is missing because it was written as `param`. */
  instead?: string;
  /** Not all faults are listed: a field that none of them names may be wrong too. */
  isOfMore?: true;
}

/**
 * Compiles `schema` when its first value comes: compiling those of all routes takes a third of a second of a start, and
 * most processes serve few of the routes.
 */
export function compileCheck(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  let explain: ValidateFunction | undefined;
  return (value) => {
    validate ??= firstFault.compile(schema);
    if (validate(value)) return [];
    if (!isSmall(value)) return ofMore(faultsOf(validate.errors ?? []));
    explain ??= everyFault.compile(schema);
    explain(value);
    return faultsOf(explain.errors ?? []);
  };
}

function isSmall(value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; seen < VALUES_EXPLAINED_MAX; seen += 1) {
    if (waiting.length === 0) return true;
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inside: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (inside.length + waiting.length > VALUES_EXPLAINED_MAX) return false;
    waiting.push(...inside);
  }
  return false;
}

const ofMore = (faults: readonly FieldFault[]): FieldFault[] => faults.map((fault) => ({ ...fault, isOfMore: true }));

/** Leaves out that a field is missing where it was mistyped: one sentence about a mistake is enough. */
export function withoutMeant(faults: readonly FieldFault[]): FieldFault[] {
  const meant = new Set(faults.map(({ instead }) => instead));
  const left = faults.filter(({ param, message }) => !(meant.has(param) && message === MISSING));
  return faults.some(({ isOfMore }) => isOfMore) ? ofMore(left) : left;
}

/** Each fault as a whole sentence, with its field. */
export const sentencesOf = (
  faults: readonly FieldFault[],
  where: string,
): { readonly param: string; readonly sentence: string }[] =>
  faults.map(({ param, message }) => ({
    param,
    sentence:
      param === ''
        ? `The ${where} ${message.replace(/^must be an object$/, 'must be a JSON object')}.`
        : `${param} ${message}`,
  }));

function faultsOf(all: readonly ErrorObject[]): FieldFault[] {
  const errors = ofMeantBranches(all);
  const byParam = new Map<string, string[]>();
  const paths = errors.map(pathOf);
  const deeper = (path: string): boolean => paths.some((other) => other.startsWith(`${path}/`));
  for (const [index, error] of errors.entries()) {
    const path = paths[index] ?? '';
    const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    // A union reports every branch: the branch that got furthest is the one the caller meant.
    if (isUnion || (error.keyword === 'type' && error.schemaPath.includes('/anyOf/') && deeper(path))) continue;
    const param = paramOf(path);
    const messages = byParam.get(param) ?? [];
    const message = messageOf(error);
    if (!messages.includes(message)) messages.push(message);
    byParam.set(param, messages);
    if (byParam.size >= DETAILS_MAX) break;
  }
  const faults = [...byParam].map(([param, messages]) => ({ param, message: mergeMessages(messages) }));
  return faults.length >= DETAILS_MAX ? ofMore(faults) : faults;
}

const pathOf = (error: ErrorObject): string =>
  error.keyword === 'required'
    ? `${error.instancePath}/${escapePointer(String(error.params['missingProperty']))}`
    : error.instancePath;

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const MISSING = 'is required';
const TYPE = 'must be of type ';
const CONSTANT = 'must be exactly ';
/** How a message names the types of JSON. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** Several branches of a union refused the same field: one sentence names the accepted values. */
function mergeMessages(messages: readonly string[]): string {
  const after = (start: string): string[] =>
    messages.filter((message) => message.startsWith(start)).map((message) => message.slice(start.length));
  const types = after(TYPE);
  const constants = after(CONSTANT);
  const other = messages.find((message) => !message.startsWith(TYPE) && !message.startsWith(CONSTANT));
  if (other !== undefined) return other;
  const given = types.length > 1 ? types.filter((type) => type !== 'null') : types; // null only leaves a field out
  if (constants.length === 0) return `must be ${typesInWords(given)}`;
  if (messages.length === 1) return `must be ${constants[0]}`;
  return `must be one of ${[...constants, ...types.filter((type) => type === 'null')].join(', ')}`;
}

/** “a string or an array”. A type may have its example after a comma: “string, such as Ada <ada@example.com>”. */
function typesInWords(types: readonly string[]): string {
  const words = types.map((type) => type.replace(/^\w+/, (name) => ownEntry(TYPE_NAMES, name) ?? name));
  return words.join(types.some((type) => type.includes(',')) ? ', or ' : ' or ');
}

/** '/emails/3/to/0' → 'emails[3].to[0]'. */
function paramOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
    .slice(0, PARAM_CHARACTERS_MAX);
}

function messageOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return MISSING;
    case 'type':
      return `${TYPE}${String(params['type'])}${addressExample(error.parentSchema)}`;
    case 'enum':
      return `must be one of ${Array.isArray(params['allowedValues']) ? params['allowedValues'].join(', ') : 'the allowed values'}`;
    case 'const':
      return `${CONSTANT}${String(params['allowedValue'])}`;
    case 'format':
      return formatInWords(String(params['format']));
    case 'pattern':
      return saysOf(error.parentSchema) ?? `has another form than it must have${exampleOf(error.parentSchema)}`;
    case 'minItems':
      return `needs at least ${countOf(params['limit'], itemNameOf(error.parentSchema))}`;
    case 'maxItems':
      return `may have at most ${countOf(params['limit'], itemNameOf(error.parentSchema))}`;
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `needs at least ${countOf(params['limit'], 'character')}`;
    case 'maxLength':
      return `may have at most ${countOf(params['limit'], 'character')}`;
    case 'minProperties':
      return `needs at least ${countOf(params['limit'], 'field')}`;
    case 'maxProperties':
      return `may have at most ${countOf(params['limit'], 'field')}`;
    case 'minimum':
      return `must be at least ${String(params['limit'])}`;
    case 'maximum':
      return `must be at most ${String(params['limit'])}`;
    case 'uniqueItems':
      return 'must not contain a value twice';
    case 'additionalProperties':
      return `has an unknown field ${String(params['additionalProperty']).slice(0, 64)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

function formatInWords(format: string): string {
  if (format === 'cursor') return 'is not one that a list of ours has returned';
  return format === 'date-time'
    ? 'must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z'
    : `must be a valid ${format}`;
}

/** “one address”, “20 characters”: numbers as people write them. */
function countOf(limit: unknown, noun: string): string {
  const plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return limit === 1 ? `one ${noun}` : `${withThousands(Number(limit))} ${plural}`;
}

/** An array whose items have an address as their example holds addresses. */
const itemNameOf = (schema: ErrorObject['parentSchema']): string =>
  schema !== undefined && 'items' in schema && exampleOf(schema['items']).includes('@') ? 'address' : 'item';

/** An object in place of an address, as other services take it, gets the form to write. */
function addressExample(schema: ErrorObject['parentSchema']): string {
  const example = exampleOf(schema);
  return example.includes('@') ? example : '';
}

/** The words of a schema for texts that do not match its pattern. */
function saysOf(schema: ErrorObject['parentSchema']): string | undefined {
  const says: unknown = schema === undefined ? undefined : Reflect.get(schema, 'x-says');
  return typeof says === 'string' ? says : undefined;
}

function exampleOf(schema: ErrorObject['parentSchema']): string {
  if (schema === undefined || !('examples' in schema) || !Array.isArray(schema.examples)) return '';
  const [example]: unknown[] = schema.examples;
  return typeof example === 'string' ? `, such as ${example}` : '';
}
