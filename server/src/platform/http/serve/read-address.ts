import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError, invalid, notFound } from '../../errors/app-error.ts';
import type { Route } from '../route.ts';
import { type Check, compileCheck, faultsAsError } from '../validation.ts';

/** Path parameters and query, as the schemas of a route have accepted them. */
export interface Address {
  params: Record<string, string>;
  query: unknown;
}

const empty = Type.Object({});

/** Compiles the reader of a route's address. Bad parameters are 404, a bad query is 400. */
export function addressReader(route: Route): (request: FastifyRequest) => Address {
  if (route.opaque === true) return () => ({ params: {}, query: {} });
  const checkParams = compileCheck(route.params ?? empty);
  const checkQuery = compileCheck(route.query ?? empty);
  const queryNames = new Set(Object.keys(route.query === undefined ? {} : propertiesOf(route.query)));
  return (request) => ({
    params: readParams(checkParams, request.params),
    query: readQuery(checkQuery, queryNames, request),
  });
}

/** A path that cannot name a record gets the same 404 as an id that never existed. */
function readParams(check: Check, decoded: unknown): Record<string, string> {
  const params = decoded as Record<string, string>; // Fastify decodes path parameters to strings
  for (const value of Object.values(params))
    if (hasBadText(value)) throw new AppError('not_found_error', 'There is nothing at this path.');
  const [fault] = check(params);
  if (fault !== undefined) throw notFound('record', params[fault.param] ?? '');
  return params;
}

function readQuery(check: Check, known: ReadonlySet<string>, request: FastifyRequest): unknown {
  refuseUndecodable(request.url);
  const query = request.query as Record<string, unknown>; // strings, or arrays of them when a name is repeated
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && hasBadText(value))
      throw invalid(name, `${name} has characters that are not allowed`);
    // `status[]=x` and `status[$ne]=x` mean `status` in other servers: ignoring them would leave a filter out.
    const meant = name.split('[', 1)[0] ?? '';
    if (meant !== name && known.has(meant)) throw invalid(meant, `${meant} takes one plain value`);
  }
  const faults = check(query);
  if (faults.length > 0) throw faultsAsError(faults, 'query');
  return query;
}

/** True for a text that PostgreSQL refuses, or that holds U+FFFD, which a decoder puts in place of bad UTF-8. */
const hasBadText = (text: string): boolean =>
  text.includes('\u0000') || text.includes('\ufffd') || !text.isWellFormed();

/** The parser keeps what it cannot decode as it stands: `%ff` would be searched for as three letters. */
function refuseUndecodable(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = /^[A-Za-z0-9_]+(?==)/.exec(pair)?.[0] ?? 'query';
      throw invalid(name, `${name} is not UTF-8 in percent-encoding`);
    }
  }
}

const propertiesOf = (schema: object): object =>
  'properties' in schema && typeof schema.properties === 'object' && schema.properties !== null
    ? schema.properties
    : {};
