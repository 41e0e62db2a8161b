import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { AppError } from '../errors/app-error.ts';

const DETAILS_MAX = 20;

const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes: false, useDefaults: false, verbose: false });
// RFC 4122 text form in lower or upper case; ids are compared lower-cased by the database.
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
ajv.addFormat('date-time', { validate: isInstant });
ajv.addFormat('email', true);
ajv.addFormat('uri', { validate: (text: string) => URL.canParse(text) });

/** RFC 3339 with an offset, and a day that exists: `new Date('2026-02-30T00:00:00Z')` would be 2 March. */
export function isInstant(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]; // six groups matched
  const offset = parts[8] ?? 'Z';
  const offsetHour = Number(offset.slice(1, 3) || 0);
  const offsetMinute = Number(offset.slice(4, 6) || 0);
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 14 &&
    offsetMinute <= 59
  );
}

/** Checks a value; returns the failures as one sentence per field. */
export type Check = (value: unknown) => FieldFault[];

export interface FieldFault {
  /** As the caller wrote it: `emails[3].to[0]`; '' for the whole value. */
  param: string;
  message: string;
}

export function compileCheck(schema: TSchema): Check {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? [] : faultsOf(validate.errors ?? []));
}

/** The error of one or several faults: `param` is the first field, `details` lists them when there are several. */
export function faultsAsError(faults: readonly FieldFault[], where: string): AppError {
  const [first] = faults;
  if (first === undefined) throw new Error('no faults to report');
  const sentences = faults.map((fault) => `${fault.param === '' ? `The ${where}` : fault.param} ${fault.message}`);
  return new AppError('validation_error', sentences[0] ?? '', {
    ...(first.param === '' ? {} : { param: first.param }),
    ...(faults.length > 1 ? { details: sentences } : {}),
  });
}

function faultsOf(errors: readonly ErrorObject[]): FieldFault[] {
  const byParam = new Map<string, string[]>();
  const deepest = (path: string): boolean => errors.some((error) => error.instancePath.startsWith(`${path}/`));
  for (const error of errors) {
    const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    // A union reports every branch: the branch that got furthest is the one the caller meant.
    if (isUnion || (error.keyword === 'type' && error.schemaPath.includes('/anyOf/') && deepest(error.instancePath)))
      continue;
    const path =
      error.keyword === 'required'
        ? `${error.instancePath}/${String(error.params['missingProperty'])}`
        : error.instancePath;
    const param = paramOf(path);
    const messages = byParam.get(param) ?? [];
    const message = messageOf(error);
    if (!messages.includes(message)) messages.push(message);
    byParam.set(param, messages);
    if (byParam.size >= DETAILS_MAX) break;
  }
  return [...byParam].map(([param, messages]) => ({ param, message: mergeMessages(messages) }));
}

const mergeMessages = (messages: readonly string[]): string => {
  const types = messages.filter((message) => message.startsWith('must be of type '));
  const others = messages.filter((message) => !message.startsWith('must be of type '));
  if (others.length > 0 && types.length > 0) return others[0] ?? '';
  return types.length > 1
    ? `must be of type ${types.map((message) => message.slice(16)).join(' or ')}`
    : (messages[0] ?? 'is not valid');
};

/** '/emails/3/to/0' → 'emails[3].to[0]'. */
function paramOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
}

function messageOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be of type ${String(params['type'])}`;
    case 'enum':
      return `must be one of ${Array.isArray(params['allowedValues']) ? params['allowedValues'].join(', ') : 'the allowed values'}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'format':
      return params['format'] === 'date-time'
        ? 'must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z'
        : `must be a valid ${String(params['format'])}`;
    case 'additionalProperties':
      return `has an unknown field ${String(params['additionalProperty'])}`;
    default:
      return error.message ?? 'is not valid';
  }
}
