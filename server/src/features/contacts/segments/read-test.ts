import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import { parseInstant } from '#platform/time/instant.ts';
import { readZone } from '#platform/time/zones.ts';
import type { PropertyType, PropertyTypes } from '../properties/property-types.ts';
import { EVENT_NAME, TIMES_KEPT } from '../events/event-limits.ts';
import { type ContactTest, NUMBER_OPS, TEXT_OPS, type TextField, type TextSource, TIME_OPS } from './filter.ts';

/** A condition with its two names, and whatever else the caller gave. */
export interface GivenCondition {
  field: string;
  op: string;
  value: unknown;
  count: unknown;
  within: unknown;
}

const TEXT_FIELDS: readonly TextField[] = [
  'email',
  'domain',
  'name',
  'first_name',
  'last_name',
  'timezone',
  'language',
];
const PRESENCE_OPS = ['is_set', 'is_not_set'] as const;
const TRUTH_OPS = ['is_true', 'is_false'] as const;
const ACTIVITY_OPS = ['at_least', 'none'] as const;
const OPS_OF_TYPE = {
  string: TEXT_OPS,
  number: NUMBER_OPS,
  boolean: TRUTH_OPS,
  date: TIME_OPS,
} as const satisfies Record<PropertyType, readonly string[]>;

const VALUE_CHARS_MAX = 500;
const COUNT_MAX = 1_000;
const DAYS_MAX = 3_650;
const UNIT_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** Reads the test of one condition. Throws 422 with the field at fault. */
export function readTest(given: GivenCondition, at: string, types: PropertyTypes | null): ContactTest {
  const { field } = given;
  const place = new Place(given, at);
  const text = TEXT_FIELDS.find((name) => name === field);
  if (text !== undefined) return readText(place, { field: text });
  if (field === 'created_at') return { kind: 'time', of: { field }, ...readTime(place, place.op(TIME_OPS)) };
  if (field === 'unsubscribed') return { kind: 'unsubscribed', is: place.truth() };
  if (field === 'sent' || field === 'opened' || field === 'clicked') {
    return { kind: 'activity', verb: field, ...readActivity(place) };
  }
  const [kind = '', name = ''] = splitField(field);
  if (kind === 'property') return readProperty(place, name, types);
  if (kind === 'list' || kind === 'segment') return { kind, id: place.id(name), is: place.truth() };
  if (kind === 'received' || kind === 'opened' || kind === 'clicked') {
    return { kind: 'mail of send', verb: kind, id: place.id(name), is: place.truth() };
  }
  if (kind === 'received_event') return readEvent(place, name);
  throw place.fault(
    'field',
    `is unknown. There are ${TEXT_FIELDS.join(', ')}, created_at, unsubscribed, sent, opened, clicked, ` +
      'property:<key>, list:<id>, segment:<id>, received:<id>, opened:<id>, clicked:<id> and received_event:<name>',
  );
}

const splitField = (field: string): string[] => {
  const colon = field.indexOf(':');
  return colon === -1 ? [] : [field.slice(0, colon), field.slice(colon + 1)];
};

function readProperty(place: Place, key: string, types: PropertyTypes | null): ContactTest {
  // Any test stands for one that cannot be read yet: it is thrown away.
  if (types === null) return { kind: 'presence', of: { property: key }, isSet: true };
  const type = types.get(key);
  if (type === undefined) throw place.fault('field', 'names a property that no contact of the workspace has');
  const { op } = place.given;
  if (op === 'is_set' || op === 'is_not_set') return readText(place, { property: key });
  if (type === 'string') return readText(place, { property: key });
  if (type === 'boolean') return { kind: 'boolean', property: key, is: place.truth() };
  if (type === 'date') return { kind: 'time', of: { property: key }, ...readTime(place, place.op(OPS_OF_TYPE.date)) };
  const known = place.op(OPS_OF_TYPE.number);
  return { kind: 'number', property: key, op: known, value: readNumber(place) };
}

function readText(place: Place, of: TextSource): ContactTest {
  const op = place.op([...TEXT_OPS, ...PRESENCE_OPS]);
  if (op === 'is_set' || op === 'is_not_set') {
    place.takesNone('value');
    return { kind: 'presence', of, isSet: op === 'is_set' };
  }
  const value = place.text();
  const isWhole = op === 'equals' || op === 'not_equals';
  if (!isWhole || !('field' in of)) return { kind: 'text', of, op, value };
  if (of.field === 'timezone') return { kind: 'text', of, op, value, otherName: nameOfToday(value) };
  return { kind: 'text', of, op, value: canonical(of.field, value) };
}

/** A contact has the name that its zone had when it was written: that of today, or the one that was given here. */
function nameOfToday(zone: string): string {
  try {
    return readZone('timezone', zone);
  } catch (error) {
    if (error instanceof AppError) return zone; // no zone, so that no contact has it
    throw error;
  }
}

/** An address and a domain are compared in the form in which contacts have them. */
function canonical(field: TextField, value: string): string {
  if (field !== 'email' && field !== 'domain') return value;
  try {
    return field === 'email' ? identityOf(value.trim()) : identityOf(`x@${value.trim()}`).slice(2);
  } catch (error) {
    if (error instanceof AddressError) return value;
    throw error;
  }
}

function readTime<Op extends string>(place: Place, op: Op): { op: Op; value: Date } {
  const text = place.text();
  const value = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (value === undefined) {
    throw place.fault('value', 'must be a day or a time such as 2026-11-23 or 2026-11-23T10:00:00Z');
  }
  return { op, value };
}

function readNumber(place: Place): number {
  const { value } = place.given;
  const read = typeof value === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) ? Number(value) : value;
  place.takesOnlyValue();
  if (typeof read !== 'number' || !Number.isFinite(read)) throw place.fault('value', 'must be a number');
  return read;
}

function readActivity(place: Place): { atLeast: number | null; withinMs: number | null } {
  const op = place.op(ACTIVITY_OPS);
  place.takesNone('value');
  const { count, within } = place.given;
  if (op === 'none') place.takesNone('count');
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= COUNT_MAX;
  if (op === 'at_least' && count !== undefined && !isCount) {
    throw place.fault('count', `must be a whole number from 1 to ${COUNT_MAX}`);
  }
  return {
    atLeast: op === 'none' ? null : isCount ? count : 1,
    withinMs: within === undefined ? null : durationOf(place, within),
  };
}

function readEvent(place: Place, name: string): ContactTest {
  if (!IS_EVENT_NAME.test(name)) throw place.fault('field', 'must end with the name of an event, such as order.paid');
  const { atLeast, withinMs } = readActivity(place);
  if (withinMs !== null && (atLeast ?? 1) > TIMES_KEPT) {
    throw place.fault('count', `must be at most ${TIMES_KEPT} with within: no more times of an event are kept`);
  }
  return { kind: 'event', name, atLeast, withinMs };
}

const IS_EVENT_NAME = new RegExp(`^${EVENT_NAME}$`);

function durationOf(place: Place, within: unknown): number {
  const [, number, unit] = /^(\d{1,5}) (hour|day|week)s?$/.exec(typeof within === 'string' ? within : '') ?? [];
  const ms = unit === 'hour' || unit === 'day' || unit === 'week' ? Number(number) * UNIT_MS[unit] : 0;
  if (ms < 1 || ms > DAYS_MAX * UNIT_MS.day) {
    throw place.fault('within', `must be such as "12 hours", "30 days" or "4 weeks", at most ${DAYS_MAX} days`);
  }
  return ms;
}

/** One condition in its place: the words for its faults. */
class Place {
  readonly given: GivenCondition;
  readonly #at: string;

  constructor(given: GivenCondition, at: string) {
    this.given = given;
    this.#at = at;
  }

  fault(name: keyof GivenCondition, sentence: string): AppError {
    return unacceptable(`${this.#at}.${name}`, `${this.#at}.${name} ${sentence}`);
  }

  op<const Op extends string>(known: readonly Op[]): Op {
    const op = known.find((one) => one === this.given.op);
    if (op === undefined) throw this.fault('op', `must be one of ${known.join(', ')} for this field`);
    return op;
  }

  truth(): boolean {
    const op = this.op(TRUTH_OPS);
    this.takesNone('value');
    this.takesOnlyValue();
    return op === 'is_true';
  }

  text(): string {
    const { value } = this.given;
    this.takesOnlyValue();
    if (typeof value !== 'string' || value === '') throw this.fault('value', 'must be a text that is not empty');
    if (value.length > VALUE_CHARS_MAX || value.includes('\0') || !value.isWellFormed()) {
      throw this.fault('value', `must have at most ${VALUE_CHARS_MAX} characters, and no NUL or half of a character`);
    }
    return value;
  }

  id(name: string): string {
    if (!isUuid(name)) throw this.fault('field', 'must end with an id');
    return name;
  }

  takesNone(name: 'value' | 'count' | 'within'): void {
    if (this.given[name] !== undefined) throw this.fault(name, `has no meaning with ${this.given.op}`);
  }

  takesOnlyValue(): void {
    this.takesNone('count');
    this.takesNone('within');
  }
}
