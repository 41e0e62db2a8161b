import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors/app-error.ts';
import type { ErrorName } from '../../errors/error-table.ts';
import { sendingStopped } from '../../errors/sending-stopped.ts';
import type { AppPorts } from '../ports.ts';
import type { Route } from '../route.ts';
import { makeCtx } from './make-ctx.ts';

/** Found after the gate of the workspace, which is the answer in their place. Caps and quotas are among these. */
const LATER: ReadonlySet<ErrorName> = new Set([
  'permission_error',
  'rate_limit_error',
  'validation_error',
  'not_found_error',
  'conflict_error',
]);

/**
 * 403 for new mail of a workspace that the operator has stopped, whatever else was wrong with the request. The verb
 * refuses a good request by itself. This looks only after a failure, so that accepting mail costs no look-up more.
 */
export async function refusalOfGate(
  route: Route,
  error: unknown,
  request: FastifyRequest,
  ports: AppPorts,
): Promise<AppError | undefined> {
  const isNewMail = typeof route.access === 'object' && route.access.newMail === true;
  if (!isNewMail || request.authorized !== true) return undefined;
  if (!(error instanceof AppError) || !LATER.has(error.name)) return undefined;
  const stop = (await ports.findSendingStop?.(makeCtx(request, ports))) ?? null;
  return stop === null ? undefined : sendingStopped(stop);
}
