import { type BodyDefinition, mediaTypesOf } from '../body/body-definition.ts';
import { type Access, isFileAnswer, isForUsers, type Route } from '../route.ts';
import { codeSamples } from './code-samples.ts';
import { declaredErrors } from './declared-errors.ts';
import { DEFAULT_ERROR, refToError } from './error-responses.ts';
import { headersOfAnswer, parameterRefs, refsTo } from './headers.ts';
import { type JsonSchema, pascalCase, plain } from './json-schema.ts';
import type { NamedSchemas } from './named-schemas.ts';

interface OperationResponse {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  parameters: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, OperationResponse>;
  [key: string]: unknown;
}

/** For answers that say nothing about themselves. */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Stored and on its way.',
};

/** The operation of a route at one of its paths. */
export function operationOf(route: Route, path: string, schemas: NamedSchemas, baseUrl: string): Operation {
  const isFirst = path === route.path;
  const parameters = [...parametersOf(route, schemas), ...parameterRefs(route)];
  return {
    operationId: isFirst ? route.id : `${route.id}_at_${wordsOf(path)}`,
    tags: [route.tag],
    summary: isFirst ? route.summary : `${route.summary} (the same as ${route.path})`,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route.access),
    parameters,
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, route.body, schemas) }),
    responses: responsesOf(route, schemas),
    'x-codeSamples': codeSamples({ route, path: pathWithExamples(route, path), baseUrl }),
  };
}

const wordsOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .join('_')
    .replaceAll('-', '_');

const securityOf = (access: Access): Record<string, string[]>[] =>
  access === 'public' ? [] : [{ bearer: [] }, ...(isForUsers(access) ? [] : [{ apiKey: [] }]), { sessionCookie: [] }];

const EXAMPLE_ID = '0197f400-1c2d-7abc-8def-0123456789ab';

function parametersOf(route: Route, schemas: NamedSchemas): object[] {
  const params = Object.entries(fieldsOf(route.params));
  return [
    ...params.map(([name, schema]) => ({
      ...parameterOf(name, 'path', schema, schemas),
      required: true,
      example: schema.examples?.[0] ?? EXAMPLE_ID,
    })),
    ...Object.entries(fieldsOf(route.query)).map(([name, schema]) => ({
      ...parameterOf(name, 'query', schema, schemas),
      required: requiredIn(route.query, name),
      ...(route.example?.query?.[name] === undefined ? {} : { example: route.example.query[name] }),
    })),
    ...Object.entries(fieldsOf(route.headers)).map(([name, schema]) => ({
      ...parameterOf(name, 'header', schema, schemas),
      required: false,
    })),
  ];
}

function parameterOf(name: string, place: string, given: JsonSchema, schemas: NamedSchemas): object {
  const { description, ...schema } = given;
  return {
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    schema: given.title === undefined ? schemas.refer(schema, pascalCase(name)) : schemas.refer(given, name),
  };
}

const fieldsOf = (schema: object | undefined): Record<string, JsonSchema> =>
  schema === undefined ? {} : (plain(schema).properties ?? {});

const requiredIn = (schema: object | undefined, name: string): boolean =>
  schema !== undefined && plain(schema).required?.includes(name) === true;

/** The path with the example of each parameter in place of its name. */
function pathWithExamples(route: Route, path: string): string {
  const fields = fieldsOf(route.params);
  return path.replace(/:(\w+)/g, (_, name: string) => String(fields[name]?.examples?.[0] ?? EXAMPLE_ID));
}

function requestBodyOf(
  route: Route,
  body: BodyDefinition,
  schemas: NamedSchemas,
): NonNullable<Operation['requestBody']> {
  const fields = 'json' in body ? body.json : 'form' in body ? body.form : 'stream' in body ? body.fields : undefined;
  const schema = fields === undefined ? { type: 'string' } : schemas.refer(fields, `${pascalCase(route.id)}Request`);
  const { file, body: text = file === undefined ? undefined : `The bytes of ${file}` } = route.example ?? {};
  const example = text === undefined ? {} : { example: text };
  const content = mediaTypesOf(body).map((type, index) => [
    type,
    { schema, ...(hasExample(body, index) ? example : {}) },
  ]);
  return { required: !('json' in body && body.optional === true), content: Object.fromEntries(content) };
}

/** The fields of a form are the same in each of its types; a file of another type is another file. */
const hasExample = (body: BodyDefinition, index: number): boolean => 'form' in body || index === 0;

function responsesOf(route: Route, schemas: NamedSchemas): Operation['responses'] {
  const { response, status = 200 } = route;
  if (response === undefined) return {};
  const name = pascalCase(route.id);
  const responses: Operation['responses'] = {};
  for (const code of declaredErrors(route)) responses[code] = refToError(code);
  const others = Object.entries(route.otherResponses ?? {}).map(([code, schema]) => [Number(code), schema] as const);
  for (const [code, schema] of [[status, response] as const, ...others]) {
    const isFile = isFileAnswer(schema);
    const shown = isFile ? { type: 'string' } : schemas.refer(schema, `${name}${code === status ? '' : code}Result`);
    const description = isFile ? schema.description : plain(schema).description;
    responses[code] = {
      description: description ?? MEANINGS[code] ?? 'As described.',
      headers: refsTo(headersOfAnswer(route, code)),
      content: { [isFile ? schema.file : 'application/json']: { schema: shown } },
    };
  }
  if (route.version !== undefined && route.method === 'GET') {
    responses[304] = {
      description: 'You have the answer already (If-None-Match).',
      headers: refsTo(['X-Request-ID', 'ETag']),
    };
  }
  responses['default'] = DEFAULT_ERROR;
  return responses;
}
