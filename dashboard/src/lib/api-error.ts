import { exactTime } from './time.ts';

/** The answer of the server in place of a 2xx: the same fields on every path. */
interface Envelope {
  statusCode: number;
  name: string;
  message: string;
  param?: string;
  details?: string[];
  retryAfter?: number;
  requestId: string;
}

export interface Fault {
  /** The field that the sentence is about, when it is about one. */
  param: string | undefined;
  sentence: string;
}

export type ApiErrorKind = 'answer' | 'network' | 'unreadable';

/** A request that failed. The wrapper of the client turns every failure into one of these. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** 0 when there was no answer. */
  readonly status: number;
  /** The stable name of the error, such as `conflict_error`. */
  readonly code: string;
  readonly param: string | undefined;
  readonly details: readonly string[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ApiErrorKind, status: number, message: string, envelope: Partial<Envelope> = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = envelope.name ?? kind;
    this.param = envelope.param;
    this.details = envelope.details ?? [];
    this.requestId = envelope.requestId;
    this.retryAfterSeconds = envelope.retryAfter;
  }
}

interface Received {
  status: number;
  requestId: string | undefined;
  retryAfter: string | undefined;
}

/** `thrown` is the parsed body of an answer, its text, or what `fetch` threw; `received` is undefined without one. */
export function readFailure(thrown: unknown, received: Received | undefined): ApiError {
  if (received === undefined) {
    return new ApiError('network', 0, 'Posthorn cannot be reached. Check your connection.');
  }
  const { status, requestId } = received;
  const fromHeaders: Partial<Envelope> = {
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number(received.retryAfter) > 0 ? { retryAfter: Number(received.retryAfter) } : {}),
  };
  if (isEnvelope(thrown)) return new ApiError('answer', status, thrown.message, { ...fromHeaders, ...thrown });
  return new ApiError('unreadable', status, `The server gave an answer that cannot be read (status ${status}).`, {
    ...fromHeaders,
  });
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** All faults of a refused request, each with its field: `details` begins every sentence with the field's name. */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof ApiError)) return [];
  if (error.details.length === 0) return [{ param: error.param, sentence: asSentence(error.message) }];
  return error.details.map((detail, index) => ({
    param: /^([a-z_][\w.[\]-]*)/i.exec(detail)?.[1] ?? (index === 0 ? error.param : undefined),
    sentence: asSentence(detail),
  }));
}

/**
 * Faults by the fields of a form, and those that belong to none of them. `allowed_ips[2]` and `limits.daily` belong to
 * `allowed_ips` and `limits` unless the form has the longer name.
 */
export function faultsByField(
  error: unknown,
  fields: readonly string[],
): { byField: Record<string, string>; rest: Fault[] } {
  const byField: Record<string, string> = {};
  const rest: Fault[] = [];
  for (const fault of faultsOf(error)) {
    const field = fieldOf(fault.param, fields);
    if (field === undefined) {
      rest.push(fault);
      continue;
    }
    const sentence = besideField(fault, field);
    byField[field] = byField[field] === undefined ? sentence : `${byField[field]} ${sentence}`;
  }
  return { byField, rest };
}

/** Beside the field, whose label is another word than the name that the API has for it. */
function besideField({ param, sentence }: Fault, field: string): string {
  if (param === undefined || !sentence.startsWith(`${param} `)) return sentence;
  if (param === field) return `It${sentence.slice(param.length)}`;
  const entry = /^\[(\d+)\]$/.exec(param.slice(field.length))?.[1];
  return entry === undefined ? sentence : `Entry ${Number(entry) + 1}${sentence.slice(param.length)}`;
}

function fieldOf(param: string | undefined, fields: readonly string[]): string | undefined {
  for (let name = param; name !== undefined && name !== ''; name = name.replace(/(\.[^.[]+|\[[^\]]*\])$/, '')) {
    if (fields.includes(name)) return name;
    if (!/[.[]/.test(name)) return undefined;
  }
  return undefined;
}

/** One or more sentences for a person: what was wrong, all faults, when to try again, and the request id. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return error instanceof Error ? `The page failed: ${asSentence(error.message)}` : 'The page failed.';
  }
  const sentences =
    error.details.length > 1 ? error.details.map(asSentence).join(' ') : asSentence(error.message || 'It failed.');
  return [sentences, whenToTryAgain(error), ofRequest(error)].filter((part) => part !== '').join(' ');
}

/** The sentence in two parts, for places that set the request id apart. */
export const errorParts = (error: unknown): { sentence: string; requestId: string | undefined } => {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const whole = errorSentence(error);
  return { sentence: requestId === undefined ? whole : whole.replace(` (request ${requestId})`, ''), requestId };
};

function whenToTryAgain({ retryAfterSeconds: seconds, status }: ApiError): string {
  if (seconds === undefined || (status !== 429 && status !== 503 && status !== 409)) return '';
  if (seconds < 90) return `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `Try again in ${minutes} minutes.` : `Try again in ${Math.ceil(minutes / 60)} hours.`;
}

const ofRequest = ({ requestId }: ApiError): string => (requestId === undefined ? '' : `(request ${requestId})`);

/** `2026-12-01T08:00:00.000Z`, as the API writes each time in its messages. */
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function asSentence(text: string): string {
  const trimmed = text.trim().replaceAll(INSTANT, (instant) => exactTime(instant));
  return /[.!?…)]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The role or the key may not: the same question has the same answer. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
