import type { TSchema } from 'typebox';
import { withThousands } from '../../english.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import type { FieldFault } from '../validation.ts';
import { NO_OTHER_NAMES, type OtherNames, type RefusedField } from './other-names.ts';
import { bare, nearestName, otherSpelling } from './spelling.ts';

const UNKNOWN_MAX = 50;
const FAULTS_MAX = 20;
/** Unknown names beyond this many, or longer, are passed over: a body can have a million of them, or one of 40 MB. */
const COMPARED_MAX = 200;
const NAME_CHARACTERS_MAX = 64;
/** Of one object whose names a schema says. Each step that copies an object of 400,000 fields takes 0.8 s of a core. */
export const FIELDS_MAX = 1_000;
export const TOO_MANY_FIELDS = `has more than ${withThousands(FIELDS_MAX)} fields`;

/** The characters allowed in a list in a header; other names are left out. */
const SAFE_IN_HEADER = /^[\x21-\x2b\x2d-\x7e]{1,64}$/;

export interface FieldReaderOptions {
  /** Names that other services use, and that this route knows. */
  others?: OtherNames | undefined;
  /** A name that is nearly ours is refused. Forms of websites have fields of their own, and may have such a name. */
  refusesNearMisses: boolean;
  /** Each unknown name is refused, because ignoring it could do the wrong thing. */
  refusesUnknown?: boolean;
  /** The names that the other part of the request takes, and how to say so. */
  elsewhere?: { names: ReadonlySet<string>; remedy(name: string): string };
}

export interface ReadFields {
  /** The value with our own name for each field. */
  value: unknown;
  /** The fields that no schema knows, as `a.b[].c`. */
  unknown: string[];
  faults: FieldFault[];
}

interface Shape {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
  anyOf?: readonly unknown[];
  allOf?: readonly unknown[];
}

/**
 * Gives every field the name that its schema has for it: callers may write `reply_to` for `replyTo`, and the other way
 * round. Reports names that are unknown or nearly ours, so that a typing error is never silent. Free-form objects (no
 * `properties`) are not looked into: their names are data.
 */
export function fieldReader(schema: TSchema, options: FieldReaderOptions): (value: unknown) => ReadFields {
  return (value) => {
    const reading = new Reading(options);
    const read = reading.read([schema], value, '', options.others ?? NO_OTHER_NAMES);
    return { value: read, unknown: [...reading.unknown], faults: reading.faults };
  };
}

/** Whether the schema names the fields of an object, so that no body needs many: the names are not data. */
export function namesItsFields(schema: TSchema): boolean {
  const shapes = branches(schema).filter((shape) => fits(shape, {}));
  return shapes.length > 0 && shapes.every((shape) => shape.properties !== undefined);
}

/** One reading of one value. */
class Reading {
  readonly unknown = new Set<string>();
  readonly faults: FieldFault[] = [];
  readonly #options: FieldReaderOptions;
  #compared = 0;

  constructor(options: FieldReaderOptions) {
    this.#options = options;
  }

  /** `schemas` are all that may describe the value: the branches of a union, of which one knowing a field is enough. */
  read(schemas: readonly unknown[], value: unknown, path: string, others: OtherNames): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const shapes = schemas.flatMap(branches).filter((shape) => fits(shape, value));
    if (Array.isArray(value)) return this.#readItems(shapes, value, path, others);
    if (shapes.length === 0 || shapes.some((shape) => shape.properties === undefined)) return value;
    return this.#readObject(shapes, value, path, others);
  }

  #readItems(shapes: readonly Shape[], value: readonly unknown[], path: string, others: OtherNames): unknown {
    const items = shapes.map((shape) => shape.items).filter((item) => item !== undefined);
    if (items.length === 0) return value;
    let isChanged = false;
    const read = value.map((item: unknown, index) => {
      if (typeof item !== 'object' || item === null) return item;
      const inside = this.read(items, item, `${path}[${index}]`, others);
      isChanged ||= inside !== item;
      return inside;
    });
    return isChanged ? read : value;
  }

  #readObject(shapes: readonly Shape[], value: object, path: string, others: OtherNames): unknown {
    if (Object.keys(value).length > FIELDS_MAX) return this.#refuseLarge(shapes, value, path);
    const read = new Map<string, unknown>();
    let isChanged = false;
    for (const [key, given] of Object.entries(value)) {
      const where = path === '' ? key : `${path}.${key}`;
      const { name, item } = this.#ownName(shapes, key, given, where, others);
      const schemas = shapes.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? properties[name] : [],
      );
      const inside =
        schemas.length === 0 ? item : this.read(schemas, item, where, others.inside?.[name] ?? NO_OTHER_NAMES);
      isChanged ||= name !== key || inside !== given;
      if (read.has(name) && canonicalJson(read.get(name)) !== canonicalJson(inside)) {
        const own = path === '' ? name : `${path}.${name}`;
        this.#refuse(own, 'was given in two spellings with different values; give it once');
      }
      read.set(name, inside);
    }
    return isChanged ? Object.fromEntries(read) : value;
  }

  /** Its known fields alone go on, so that none of them is said to be missing. */
  #refuseLarge(shapes: readonly Shape[], value: object, path: string): object {
    this.#refuse(path, TOO_MANY_FIELDS);
    const known = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
    const given = known.filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(given.map((name) => [name, Reflect.get(value, name)]));
  }

  /** The name that the schema has for a field, and its value in our form. */
  #ownName(
    shapes: readonly Shape[],
    key: string,
    item: unknown,
    where: string,
    others: OtherNames,
  ): { name: string; item: unknown } {
    const isKnown = (name: string): boolean => shapes.some(({ properties = {} }) => Object.hasOwn(properties, name));
    if (isKnown(key)) return { name: key, item };
    if (key.length > NAME_CHARACTERS_MAX) return { name: key, item };
    const respelled = otherSpelling(key);
    if (isKnown(respelled)) return { name: respelled, item };
    this.#compared += 1;
    if (this.#compared > COMPARED_MAX) return { name: key, item };
    const names = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
    const same = others.same.get(bare(key)) ?? (others.anyCase ? sameName(key, names) : undefined);
    if (same !== undefined) {
      return typeof same === 'string' ? { name: same, item } : { name: same.field, item: same.read(item) };
    }
    this.#report({ key, item }, where, names, others);
    return { name: key, item };
  }

  #report(
    { key, item }: { key: string; item: unknown },
    where: string,
    names: readonly string[],
    others: OtherNames,
  ): void {
    const refused = others.refused.get(bare(key));
    // null asks for nothing: clients that name every field say it.
    if (refused !== undefined && item !== null) return this.#refuseKnown(where, key, refused);
    const { refusesNearMisses, refusesUnknown, elsewhere } = this.#options;
    const other = elsewhere?.names.has(key) === true ? key : otherSpelling(key);
    if (elsewhere?.names.has(other) === true) return this.#refuse(where, elsewhere.remedy(other));
    const near = refusesNearMisses ? nearestName(key, names) : undefined;
    if (near !== undefined)
      return this.#refuse(where, `is unknown: did you mean ${near}?`, insteadOf(where, key, near));
    const meant = refusesNearMisses && item !== null ? refusalOfNear(key, others) : undefined;
    if (meant !== undefined) return this.#refuseKnown(where, key, meant);
    // Asking for a dry run and getting a real one is the worst misunderstanding.
    if (refusesNearMisses && bare(key) === 'dryrun') {
      return this.#refuse(where, 'is not available: this has no dry run');
    }
    if (refusesUnknown === true) return this.#refuse(where, `is unknown: ${listed(names)}`);
    const shown = where.replace(/\[\d+\]/g, '[]');
    if (this.unknown.size < UNKNOWN_MAX && SAFE_IN_HEADER.test(shown)) this.unknown.add(shown);
  }

  #refuseKnown(where: string, key: string, refused: RefusedField): void {
    if (typeof refused === 'string') return this.#refuse(where, refused);
    const { field, message = `is unknown: did you mean ${field}?` } = refused;
    this.#refuse(where, message, insteadOf(where, key, field));
  }

  #refuse(param: string, message: string, instead?: string): void {
    if (this.faults.length >= FAULTS_MAX) return;
    this.faults.push({ param, message, ...(instead === undefined ? {} : { instead }) });
  }
}

/** For a name that is nearly one of another service: `schedule_at`, where `scheduled_at` is taken. */
function refusalOfNear(key: string, { same, refused }: OtherNames): RefusedField | undefined {
  const near = nearestName(key, [...same.keys(), ...refused.keys()]);
  if (near === undefined) return undefined;
  const ours = same.get(near);
  return ours === undefined ? refused.get(near) : { field: typeof ours === 'string' ? ours : ours.field };
}

const sameName = (key: string, names: readonly string[]): string | undefined =>
  names.find((name) => bare(name) === bare(key));

const insteadOf = (where: string, key: string, name: string): string =>
  `${where.slice(0, where.length - key.length)}${name}`;

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'this takes no parameters' : `this takes only ${names.join(', ')}`;

function branches(schema: unknown): Shape[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const shape: Shape = schema;
  const inside = shape.anyOf ?? shape.allOf;
  return inside === undefined ? [shape] : inside.flatMap(branches);
}

const fits = (shape: Shape, value: object): boolean =>
  shape.type === undefined || shape.type === (Array.isArray(value) ? 'array' : 'object');
