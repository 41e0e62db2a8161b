import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The caller's address, always one that PostgreSQL's inet takes. A trusted proxy's statement about its caller may
 * still be the caller's own writing: text that is no address counts as the proxy's.
 */
export const clientIp = (request: FastifyRequest): string =>
  plainIp(request.ip) ?? plainIp(request.socket.remoteAddress ?? '') ?? '0.0.0.0';

/** Makes `request.ip` that address, for everybody who looks there. */
export function settleClientIp(request: FastifyRequest): void {
  const ip = clientIp(request);
  if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
}

function plainIp(text: string): string | undefined {
  // Without the zone of a link-local address, and IPv4 as IPv4 (a dual-stack socket says ::ffff:192.0.2.1).
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? undefined : address;
}
