/**
 * Every object with fields becomes a component, so that a generated client has a type for it. Its name is its `title`,
 * or the name of the object around it and the field it stands in.
 */
import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, pascalCase, plain } from './json-schema.ts';

const REF = '#/components/schemas/';

export interface NamedSchemas {
  /** The schema with every record in it replaced by a reference. `name` is for a record without a title. */
  refer(schema: object, name: string): JsonSchema;
  /** All components so far, sorted by name. */
  components(): Record<string, JsonSchema>;
}

export function createNamedSchemas(): NamedSchemas {
  const found = new Map<string, JsonSchema>();

  const refer = (given: JsonSchema, name: string): JsonSchema => {
    const schema = given['x-shown-as'] ?? given;
    const called = schema.title ?? (isRecord(schema) ? name : undefined);
    const { title: _, ...rest } = schema;
    if (called === undefined) return within(rest, name);
    const component = within(rest, called);
    const other = found.get(called);
    if (other !== undefined && !isDeepStrictEqual(other, component)) {
      throw new Error(`two different schemas are called ${called}: give one of them another title`);
    }
    found.set(called, component);
    return { $ref: REF + called };
  };

  const within = (given: JsonSchema, name: string): JsonSchema => fieldsWithin(asEnum(withValues(given)), name);

  const fieldsWithin = (schema: JsonSchema, name: string): JsonSchema => ({
    ...schema,
    ...(schema.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([key, value]) => [key, refer(value, name + pascalCase(key))]),
          ),
        }),
    ...(schema.items === undefined ? {} : { items: refer(schema.items, singular(name)) }),
    ...(typeof schema.additionalProperties === 'object'
      ? { additionalProperties: refer(schema.additionalProperties, `${name}Value`) }
      : {}),
    ...(schema.anyOf === undefined ? {} : { anyOf: branches(schema.anyOf, name) }),
    ...(schema.allOf === undefined ? {} : { allOf: branches(schema.allOf, name) }),
  });

  const branches = (schemas: JsonSchema[], name: string): JsonSchema[] => {
    const records = schemas.filter((branch) => isRecord(branch) && branch.title === undefined).length;
    let number = 0;
    return schemas.map((branch) => {
      if (!isRecord(branch) || branch.title !== undefined || records < 2) return refer(branch, name);
      number += 1;
      return refer(branch, `${name}${number}`);
    });
  };

  return {
    refer: (schema, name) => refer(plain(schema), name),
    components: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const isRecord = (schema: JsonSchema): boolean =>
  schema.properties !== undefined && Object.keys(schema.properties).length > 0;

/** TypeBox writes a record with any keys as one pattern for all of them, which generators do not read. */
function withValues({ patternProperties, ...schema }: JsonSchema): JsonSchema {
  const [value] = Object.values(patternProperties ?? {});
  return value === undefined ? schema : { ...schema, additionalProperties: value };
}

/** A union of constants says the same as an enumeration, which generators and readers know. */
function asEnum(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || !anyOf.every((branch) => typeof branch.const === 'string' && isPlainConstant(branch))) {
    return schema;
  }
  return { type: 'string', enum: anyOf.map((branch) => branch.const), ...rest };
}

const isPlainConstant = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((key) => key === 'const' || key === 'type');

/** The name of an item in a list of that name: `WebhookDeliveries` holds a `WebhookDelivery`. */
const singular = (name: string): string =>
  name.endsWith('ies') ? name.replace(/ies$/, 'y') : /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
