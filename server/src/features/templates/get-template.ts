import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findTemplate, findVersion, lockTemplate } from './queries.ts';
import type { Template, TemplateVersion } from './stored-template.ts';

type Asking = Pick<Ctx, 'db' | 'workspaceId'>;

/** The template with this id or alias. */
export async function getTemplate(ctx: Asking, name: string): Promise<Template> {
  return found(await findTemplate(ctx.db, ctx.workspaceId, name), name);
}

/** The same, held until the transaction ends. */
export async function getLockedTemplate(ctx: Asking, tx: Db, name: string): Promise<Template> {
  return found(await lockTemplate(tx, ctx.workspaceId, name), name);
}

function found(template: Template | undefined, name: string): Template {
  if (template === undefined) throw notFound('template', name);
  return template;
}

/** One of its versions: the newest when none is named. */
export async function getVersion(ctx: Asking, template: Template, version?: number | null): Promise<TemplateVersion> {
  const wanted = version ?? template.version;
  const read = await findVersion(ctx.db, ctx.workspaceId, template.id, wanted);
  if (read === undefined) throw notFound('version of this template', String(wanted));
  return read;
}
