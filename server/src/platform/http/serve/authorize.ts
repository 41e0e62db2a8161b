import type { FastifyRequest } from 'fastify';
import { AppError, forbidden, unauthenticated } from '../../errors/app-error.ts';
import { type Actor, publicActor } from '../context.ts';
import type { AppPorts } from '../ports.ts';
import { type Access, isForUsers, type Route } from '../route.ts';
import { makeCtx } from './make-ctx.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
    /** Set once the caller may call this route: from here on a full tier of a key's limit is 429. */
    authorized?: boolean;
  }
}

const CLOUD_ONLY =
  'This is part of the cloud edition only. In the self-hosted edition the operator names sender domains in POSTHORN_SENDER_DOMAINS.';

/** 401 and 403. Runs before the body is read. */
export async function authorize(route: Route, request: FastifyRequest, ports: AppPorts): Promise<void> {
  if (route.access === 'public') {
    request.actor = publicActor;
  } else {
    refuseTwoCredentials(request.raw.rawHeaders);
    request.actor = await ports.authenticate(request);
  }
  checkAccess(route.access, request.actor);
  if (route.cloudOnly === true && ports.settings.edition !== 'cloud') throw forbidden(CLOUD_ONLY);
  const params = request.params as Record<string, string>; // Fastify decodes path parameters to strings
  await route.permit?.(makeCtx(request, ports), params);
  request.authorized = true;
}

/** Node keeps the first of two Authorization headers; a proxy in front may have read the second. */
function refuseTwoCredentials(rawHeaders: readonly string[]): void {
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (names.length > 1) throw unauthenticated('The Authorization header was given twice.');
}

/** Throws unless this actor may call a route with this access. */
export function checkAccess(access: Access, actor: Actor): void {
  if (access === 'public') return;
  if (isForUsers(access) && actor.type !== 'user') {
    throw unauthenticated('This endpoint takes a dashboard token, not an API key.');
  }
  if (access === 'user') return;
  if (actor.workspaceId === null) {
    throw new AppError('validation_error', 'Name the workspace in the header X-Workspace-ID.', {
      param: 'X-Workspace-ID',
    });
  }
  if ([access.scope, access.orScope ?? []].flat().some((scope) => actor.may(scope))) return;
  throw forbidden(
    actor.type === 'api_key'
      ? `This key needs the scope "${access.scope}".`
      : `Your role "${actor.role ?? 'none'}" does not allow this; it needs "${access.scope}".`,
  );
}
