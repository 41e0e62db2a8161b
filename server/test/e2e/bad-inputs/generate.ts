/** Requests from schemas: values that fit, values that nearly fit, and values that do not. */
import fc from 'fast-check';

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  examples?: unknown[];
}

const AN_ADDRESS = fc.constantFrom('ada@example.com', 'Bob <bob@example.com>', 'BOB@EXAMPLE.COM', 'x@bücher.example');

/** Values that the schema allows. The rules behind it may still refuse them. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    const others = fc.oneof(...schema.anyOf.map(fitting));
    return schema.examples === undefined ? others : fc.oneof(fc.constantFrom(...schema.examples), others);
  }
  const made = generated(schema);
  return schema.examples === undefined
    ? made
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...schema.examples) }, { weight: 1, arbitrary: made });
}

function generated(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object': {
      const fields = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, fitting(one)]),
      );
      if (schema.patternProperties !== undefined) {
        const [value = {}] = Object.values(schema.patternProperties);
        return fc.dictionary(fc.string({ maxLength: 20 }), fitting(value), { maxKeys: 4 });
      }
      const optional = Object.keys(fields).filter((name) => schema.required?.includes(name) !== true);
      // Few optional fields at a time: with all of them, one bad one would hide the others.
      return fc
        .tuple(fc.record(fields), fc.subarray(optional, { maxLength: Math.min(4, optional.length) }))
        .map(([all, kept]) =>
          Object.fromEntries(
            Object.entries(all).filter(([name]) => schema.required?.includes(name) === true || kept.includes(name)),
          ),
        );
    }
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function text({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' });
  const any = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)), unit: 'binary' });
  return fc.oneof(AN_ADDRESS, any);
}

const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufffd\ufffe\uffff',
  'x\r\nBcc: v@example.com',
  'x\u2028y\u0085z',
  "' OR 1=1 --",
  '%00%0d%0a',
  '../../etc/passwd',
  '{{constructor.constructor("return process")()}}',
  '=?utf-8?q?=0D=0ABcc:_x?=',
  '\u202eexe.gpj',
  'x'.repeat(70_000),
  '$ne',
  '__proto__',
  '1e400',
  '2026-02-30T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'a@x.test, b@y.test',
  '"a@good.test" <a@bad.test>',
  'a@xn--0049.com',
];
export const nastyText: fc.Arbitrary<string> = fc.constantFrom(...NASTY_TEXTS);

const nasty: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 1e300, 2 ** 53, [], {}, [null], [[]]),
  fc.constant({ __proto__: null, constructor: { prototype: { isAdmin: true } }, length: -1, toString: null }),
  fc.jsonValue({ maxDepth: 2 }),
);

interface Change {
  /** Which of the places of the value, as a fraction. */
  at: number;
  how: 'replace' | 'remove' | 'wrap' | 'add';
  by: unknown;
}

/** A value with one to three places of it spoilt. */
export function spoilt(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change: fc.Arbitrary<Change> = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    how: fc.constantFrom('replace' as const, 'replace' as const, 'remove' as const, 'wrap' as const, 'add' as const),
    by: nasty,
  });
  return fc.tuple(values, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) =>
    // Copies: a change may land in what another one has put there, which must neither hold itself nor be lasting.
    changes.reduce(
      (spoilt, { by, ...change }) => spoil(spoilt, { ...change, by: structuredClone(by) }),
      structuredClone(value),
    ),
  );
}

/** Anything that is JSON. */
export const anything: fc.Arbitrary<unknown> = nasty;

function placesOf(value: unknown, at: readonly string[] = []): string[][] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((name) => placesOf(Reflect.get(value, name), [...at, name]))
      : [];
  return [[...at], ...inner];
}

function spoil(value: unknown, { at, how, by }: Change): unknown {
  const places = placesOf(value);
  const place = places[Math.floor(at * places.length)] ?? [];
  if (how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ...value, [`unknown${Math.round(at * 100)}`]: by };
  }
  const name = place.at(-1);
  if (name === undefined) return how === 'wrap' ? [value] : by;
  const holder = place.slice(0, -1).reduce<object>((inside, one) => Reflect.get(inside, one), value as object); // a place of it
  if (how === 'remove') Reflect.deleteProperty(holder, name);
  else Reflect.set(holder, name, how === 'wrap' ? [Reflect.get(holder, name)] : by);
  return value;
}
