import type { OpenApiDocument } from '#platform/http/openapi/openapi.ts';
import { type Kind, type KnownOperation, OPERATIONS } from './operations.ts';

export interface Operation {
  /** Of the document; aliases end in `_at_…`. */
  operationId: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  known: KnownOperation;
  /** Whether the document asks for credentials. */
  secured: boolean;
}

/** A place of a request that takes an id. */
export interface Position {
  operation: Operation;
  where: 'path' | 'query' | 'body' | 'header';
  /** Name of the field; of the last one when it is nested. */
  name: string;
  /** Where in the body. */
  pointer: readonly (string | number)[];
  kind: Kind;
}

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface DocumentedOperation {
  operationId: string;
  security?: unknown[];
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every operation of the document, each with what the matrix knows about it. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => {
      const { operationId, security = [] } = documented as DocumentedOperation;
      const known = OPERATIONS[operationId.replace(/_at_.*$/, '')];
      if (known === undefined) throw new Error(`add ${operationId} (${method} ${path}) to tenant-matrix/operations.ts`);
      return { operationId, method: method.toUpperCase(), path, known, secured: security.length > 0 };
    }),
  );
}

/** Every id position of the document, and X-Workspace-ID on every route that asks who calls. */
export function positionsOf(document: OpenApiDocument): Position[] {
  return operationsOf(document).flatMap((operation) => {
    const documented = document.paths[operation.path]?.[operation.method.toLowerCase()] as DocumentedOperation;
    const parameters = documented.parameters ?? [];
    const body = documented.requestBody?.content['application/json']?.schema;
    const found: Omit<Position, 'kind' | 'operation'>[] = [
      ...parameters
        .filter((one) => one.in === 'path')
        .map(({ name }) => ({ where: 'path' as const, name, pointer: [] })),
      ...parameters
        .filter((one) => one.in === 'query' && takesId(one.name, one.schema))
        .map(({ name }) => ({ where: 'query' as const, name, pointer: [] })),
      ...(body === undefined ? [] : idsInBody(body, [])),
    ];
    const header: Position[] = operation.secured
      ? [{ operation, where: 'header', name: 'x-workspace-id', pointer: [], kind: 'workspace' }]
      : [];
    return [
      ...found.map((position): Position => {
        const kind = operation.known.ids?.[position.name];
        if (kind === undefined)
          throw new Error(`say what ${position.name} (${position.where}) of ${operation.operationId} is an id of`);
        return { ...position, operation, kind };
      }),
      ...header,
    ];
  });
}

const takesId = (name: string, schema: Schema): boolean =>
  schema.format === 'uuid' ||
  /(^id|_ids?|[a-z]Ids?)$/.test(name) ||
  (schema.anyOf ?? []).some((one) => takesId('', one)) ||
  (schema.items !== undefined && takesId('', schema.items));

function idsInBody(schema: Schema, at: readonly (string | number)[]): Omit<Position, 'kind' | 'operation'>[] {
  const name = at.findLast((part) => typeof part === 'string') ?? '';
  const inside = [
    ...(schema.anyOf ?? []).flatMap((one) => idsInBody(one, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => idsInBody(one, [...at, key])),
    // A body that is a bare list says the same as one with a name for it, which is what operations.ts has.
    ...(schema.items === undefined || at.length === 0 ? [] : idsInBody(schema.items, [...at, 0])),
  ];
  if (inside.length > 0) return inside;
  const leaf = schema.properties === undefined && schema.items === undefined && schema.anyOf === undefined;
  return leaf && typeof name === 'string' && takesId(name, schema) && !('type' in schema && schema.type === 'null')
    ? [{ where: 'body', name, pointer: at }]
    : [];
}
