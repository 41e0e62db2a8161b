import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import type { AppPorts } from '../ports.ts';

/** The context of a request whose caller is known, on the pool: no transaction surrounds it. */
export function makeCtx(request: FastifyRequest, ports: AppPorts): Ctx {
  return {
    workspaceId: request.actor.workspaceId ?? '',
    actor: request.actor,
    db: ports.db,
    clock: ports.clock,
    log: ports.log.child({ requestId: request.id }),
    requestId: request.id,
    ip: request.ip,
    settings: ports.settings,
    secrets: ports.secrets,
  };
}
