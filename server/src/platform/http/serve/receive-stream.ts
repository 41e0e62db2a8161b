import type { FastifyRequest } from 'fastify';
import { type Received, STREAM_BOUNDS, STREAM_BYTES_MAX, streamedBody } from '../body/streamed-body.ts';
import type { Ctx } from '../context.ts';
import type { AppPorts } from '../ports.ts';
import type { Route } from '../route.ts';
import type { Address } from './read-address.ts';

/**
 * Lets a route with a streamed body read it; undefined on every other route. Outside of any transaction, because it
 * lasts as long as the sender takes.
 */
export async function receiveStream(
  route: Route,
  readAddress: (request: FastifyRequest) => Address,
  ctx: Ctx,
  request: FastifyRequest,
  ports: AppPorts,
): Promise<Received | undefined> {
  const { body } = route;
  if (body === undefined || !('stream' in body)) return undefined;
  const bounds = { ...STREAM_BOUNDS, ...ports.streamBounds, bytesMax: body.bytesMax ?? STREAM_BYTES_MAX };
  const input = { ...readAddress(request), request };
  return body.receive(ctx, input, streamedBody(request.raw, bounds, ports.clock));
}
