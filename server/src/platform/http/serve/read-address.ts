import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError, invalid, notFound } from '../../errors/app-error.ts';
import { Faults } from '../../errors/faults.ts';
import { schemaOfBody } from '../body/body-definition.ts';
import { fieldReader } from '../fields/read-fields.ts';
import { fieldNamesOf } from '../fields/field-names.ts';
import { isCalledByPrograms, type Route } from '../route.ts';
import { type Check, compileCheck, sentencesOf, withoutMeant } from '../validation.ts';

/** Path parameters and query, as the schemas of a route have accepted them. */
export interface Address {
  params: Record<string, string>;
  query: unknown;
  /** Parameters of the query that the route does not take. */
  unknown: readonly string[];
}

const empty = Type.Object({});

/** Compiles the reader of a route's address. Bad parameters are 404, a bad query is 400. */
export function addressReader(route: Route): (request: FastifyRequest) => Address {
  if (route.opaque === true) return () => ({ params: {}, query: {}, unknown: [] });
  const checkParams = compileCheck(route.params ?? empty);
  const readQuery = queryReader(route);
  return (request) => ({ params: readParams(checkParams, request.params), ...readQuery(request) });
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

/** A parameter that a writing route does not take is refused: it could be the one that keeps it from writing. */
function queryReader(route: Route): (request: FastifyRequest) => Pick<Address, 'query' | 'unknown'> {
  const schema = route.query ?? empty;
  const check = compileCheck(schema);
  const known = new Set(fieldNamesOf(schema));
  const refuses = isCalledByPrograms(route);
  const bodyNames = new Set(fieldNamesOf(schemaOfBody(route.body)));
  const read = fieldReader(schema, {
    refusesNearMisses: refuses,
    refusesUnknown: refuses && route.method !== 'GET',
    elsewhere: { names: refuses ? bodyNames : new Set(), remedy: () => 'is a field of the body: put it there' },
  });
  return (request) => {
    refuseUndecodable(request.url);
    const given = request.query as Record<string, unknown>; // strings, or arrays of them when a name is repeated
    for (const [name, value] of Object.entries(given)) refuseBadParameter(name, value, known);
    const { value: query, unknown, faults } = read(given);
    const all = withoutMeant([...faults, ...check(query)]);
    new Faults(sentencesOf(all, 'query')).throwIfAny();
    return { query, unknown };
  };
}

function refuseBadParameter(name: string, value: unknown, known: ReadonlySet<string>): void {
  if (typeof value === 'string' && hasBadText(value))
    throw invalid(name, `${name} has characters that are not allowed`);
  // `status[]=x` and `status[$ne]=x` mean `status` in other servers: ignoring them would leave a filter out.
  const meant = name.split('[', 1)[0] ?? '';
  if (meant !== name && known.has(meant)) throw invalid(meant, `${meant} takes one plain value`);
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
