import { isDeepStrictEqual } from 'node:util';

interface Schema {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Operation {
  operationId?: string;
  parameters?: { $ref?: string; in?: string; name?: string; example?: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Content> }>;
  'x-codeSamples'?: { label: string }[];
}

export interface ReadDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const SAMPLES = ['curl', 'Node.js', 'Python', 'Go'];

/** The rules that make the document one that a generator turns into a client: a sentence for each that is broken. */
export function brokenOpenApiRules(document: ReadDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return [
    ...operations.flatMap(({ name, operation }) => [
      ...brokenExamples(operation).map((fault) => `${name}: ${fault}`),
      ...brokenAnswers(operation).map((fault) => `${name}: ${fault}`),
      ...recordsIn(operation).map((where) => `${name}: ${where} is a record without a name; give it a title`),
    ]),
    ...Object.entries(document.paths)
      .filter(([, { get, patch }]) => get !== undefined && patch !== undefined && !takesIfMatch(patch))
      .map(([path]) => `PATCH ${path}: it takes no If-Match; declare the version of its record`),
    ...doubles(operations.map(({ operation }) => operation.operationId ?? '')).map(
      (id) => `two operations are called "${id}"`,
    ),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      inside(schema)
        .flatMap((inner) => records(inner, name))
        .map((where) => `${where} is a record without a name`),
    ),
    ...referencesIn(document)
      .filter((ref) => resolve(document, ref) === undefined)
      .map((ref) => `${ref} leads nowhere`),
    ...sameRecords(document.components.schemas),
  ];
}

const takesIfMatch = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ $ref }) => $ref === '#/components/parameters/IfMatch');

function brokenExamples({ parameters = [], requestBody, 'x-codeSamples': samples = [] }: Operation): string[] {
  const bodies = Object.values(requestBody?.content ?? {});
  return [
    ...parameters
      .filter((one) => one.in === 'path' && one.example === undefined)
      .map((one) => `the path parameter ${one.name} has no example`),
    ...(requestBody !== undefined && bodies.every((body) => body.example === undefined)
      ? ['the body has no example']
      : []),
    ...SAMPLES.filter((label) => !samples.some((sample) => sample.label === label)).map(
      (label) => `it has no sample for ${label}`,
    ),
  ];
}

const brokenAnswers = ({ responses }: Operation): string[] => [
  ...['400', '500'].filter((status) => !Object.hasOwn(responses, status)).map((status) => `${status} is not declared`),
  ...(Object.keys(responses).some((status) => status.startsWith('2')) ? [] : ['it has no good answer']),
  ...Object.entries(responses)
    .filter(([, response]) => response.$ref === undefined && (response.description ?? '') === '')
    .map(([status]) => `${status} is not described`),
];

const recordsIn = ({ requestBody, responses }: Operation): string[] => [
  ...Object.values(requestBody?.content ?? {}).flatMap((body) => records(body.schema, 'the body')),
  ...Object.entries(responses).flatMap(([status, response]) =>
    Object.values(response.content ?? {}).flatMap((body) => records(body.schema, status)),
  ),
];

/** Where a schema holds an object with fields that is no reference. */
function records(schema: Schema | undefined, where: string): string[] {
  if (schema === undefined) return [];
  return [
    ...(schema.properties === undefined ? [] : [where]),
    ...inside(schema).flatMap((inner) => records(inner, where)),
  ];
}

const inside = (schema: Schema): Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items === undefined ? [] : [schema.items]),
  ...(schema.anyOf ?? []),
  ...(schema.allOf ?? []),
  ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
];

/** An answer that several operations share is a record with a name of its own, not one for each of them. */
function sameRecords(schemas: Readonly<Record<string, Schema>>): string[] {
  const results = Object.entries(schemas).filter(([name]) => name.endsWith('Result'));
  return results.flatMap(([name, schema], index) =>
    results
      .slice(index + 1)
      .filter(([, other]) => isDeepStrictEqual(schema, other))
      .map(([other]) => `${name} and ${other} are the same record; give it a title`),
  );
}

const doubles = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...new Set([...own, ...Object.values(value).flatMap(referencesIn)])];
}

const resolve = (document: object, ref: string): unknown =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
      document,
    );
