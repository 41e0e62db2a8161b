import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields and parameters of the request that nobody has read. */
    unknownFields?: Set<string>;
  }
}

const NAMES_MAX = 50;

/** Notes ignored fields: the answer names them, whether the request is taken or refused. */
export function addUnknown(request: FastifyRequest, names: Iterable<string>): void {
  request.unknownFields ??= new Set();
  for (const name of names) if (request.unknownFields.size < NAMES_MAX) request.unknownFields.add(name);
}

export const unknownHeader = ({ unknownFields }: FastifyRequest): Record<string, string> =>
  unknownFields === undefined || unknownFields.size === 0 ? {} : { 'x-unknown-fields': [...unknownFields].join(',') };

/** The same as sentences. */
export const unknownWarnings = ({ unknownFields }: FastifyRequest): string[] =>
  [...(unknownFields ?? [])].map((name) => `${name} is unknown and was ignored.`);

/** The `warnings` of an answer, which is left out when there are none. */
export function warningsOf(request: FastifyRequest): { warnings?: string[] } {
  const warnings = unknownWarnings(request);
  return warnings.length === 0 ? {} : { warnings };
}
