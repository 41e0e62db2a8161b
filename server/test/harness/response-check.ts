import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROTOCOL_ERRORS } from '#platform/http/openapi/declared-errors.ts';
import type { OpenApiDocument } from '#platform/http/openapi/openapi.ts';

export interface SeenAnswer {
  method: string;
  url: string;
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

interface Operation {
  pattern: RegExp;
  method: string;
  path: string;
  /** Path parameters make a pattern weaker than a literal path. */
  parameters: number;
}

const pointerPart = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * A check that every answer of a test is one the OpenAPI document allows: the status is documented, the body fits the
 * schema with no field too many, an error has the envelope and its own request id. Throws an AssertionError.
 */
export function createResponseCheck(document: OpenApiDocument): (answer: SeenAnswer) => void {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'api' }, 'api');
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]*')}$`),
      method: method.toUpperCase(),
      path,
      parameters: path.split('{').length,
    })),
  );
  operations.sort((a, b) => a.parameters - b.parameters);

  return (answer) => {
    const what = `${answer.method} ${answer.url} answered ${answer.status}`;
    const requestId = answer.headers['x-request-id'];
    assert.match(String(requestId), /^req_[A-Za-z0-9_-]{8,64}$/, `${what} without X-Request-ID`);
    const operation = operationFor(operations, answer);
    const responses = operation === undefined ? {} : responsesOf(document, operation);
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']));
    if (answer.status >= 400) {
      assert.ok(
        operation === undefined ||
          Object.hasOwn(responses, String(answer.status)) ||
          PROTOCOL_ERRORS.includes(answer.status),
        `${what}, which ${operation?.method} ${operation?.path} does not declare: add it to \`errors\` of the route. ${answer.text}`,
      );
      assert.ok(isJson, `${what} without a JSON envelope`);
      const body: unknown = JSON.parse(answer.text);
      assertFits(ajv, 'api#/components/schemas/Error', body, what);
      assert.ok(typeof body === 'object' && body !== null && 'requestId' in body && 'statusCode' in body);
      assert.equal(body.requestId, requestId, `${what}: the envelope has another request id than the header`);
      assert.equal(body.statusCode, answer.status, `${what}: the envelope has another status`);
      assert.doesNotMatch(
        answer.text,
        /\bat .+\.ts:\d+|node_modules|select .+ from |insert into /i,
        `${what} and shows its insides`,
      );
      return;
    }
    if (operation === undefined || !isJson || answer.method === 'HEAD' || answer.status < 200 || answer.status >= 300)
      return;
    // A route documents one good status; its schema holds for the variants (200 existing beside 201 new) too.
    const status = Object.hasOwn(responses, String(answer.status))
      ? String(answer.status)
      : Object.keys(responses).find((key) => key.startsWith('2'));
    assert.ok(status !== undefined, `${what}, which its documentation does not know`);
    const pointer = [
      'paths',
      operation.path,
      operation.method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    assertFits(ajv, `api#/${pointer.map(pointerPart).join('/')}`, JSON.parse(answer.text), what);
  };
}

function operationFor(operations: readonly Operation[], answer: SeenAnswer): Operation | undefined {
  const url = pathAskedFor(answer.url);
  const method = answer.method === 'HEAD' ? 'GET' : answer.method;
  return operations.find((known) => known.method === method && known.pattern.test(url));
}

const responsesOf = (document: OpenApiDocument, { path, method }: Operation): object =>
  document.paths[path]?.[method.toLowerCase()]?.responses ?? {};

/** As Fastify's inject asks for it: `..` has led upwards by then, written as `%2e%2e` as well. */
const pathAskedFor = (url: string): string =>
  new URL(url.startsWith('//') ? `http://localhost${url}` : url, 'http://localhost').pathname;

function assertFits(ajv: Ajv2020, ref: string, body: unknown, what: string): void {
  const validate = ajv.getSchema(ref);
  assert.ok(validate !== undefined, `${what}: no schema at ${ref}`);
  assert.ok(
    validate(body),
    `${what} with a body its documentation does not allow: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 2_000)}`,
  );
}
