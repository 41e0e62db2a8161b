import type { FastifyRequest } from 'fastify';
import { invalid } from '../../errors/app-error.ts';
import { bare } from '../fields/spelling.ts';
import type { Route } from '../route.ts';

const NAME = 'idempotencykey';

/**
 * Moves the Idempotency-Key of a body to the header, so that everything after this sees one form of it. Neither the
 * schema nor the fingerprint of the body knows the field.
 */
export function moveKeyToHeader(route: Route, request: FastifyRequest): void {
  const { body } = route;
  if (body === undefined || !('json' in body) || body.takesKey === undefined) return;
  const names = body.takesKey === true ? [NAME] : [NAME, bare(body.takesKey)];
  const given = request.body;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const found = Object.entries(given).filter(([name]) => names.includes(bare(name)));
  if (found.length === 0) return;
  request.body = without(given, new Set(found.map(([name]) => name)));
  for (const [name, value] of found) {
    if (value === null) continue;
    if (typeof value !== 'string') throw invalid(name, `${name} must be a string`);
    const header = request.headers['idempotency-key'];
    if (header !== undefined && header !== value) {
      throw invalid(name, `${name} and the header Idempotency-Key must be the same`);
    }
    request.headers['idempotency-key'] = value;
  }
}

const without = (body: object, fields: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.has(name)));
