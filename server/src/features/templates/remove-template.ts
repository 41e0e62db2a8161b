import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getLockedTemplate, getTemplate } from './get-template.ts';
import { deleteTemplate, findUsers, type User } from './queries.ts';
import { noteTemplate } from './write-version.ts';

/** Templates that are made of this one. */
export async function usersOfTemplate(ctx: Ctx, name: string): Promise<User[]> {
  const { id } = await getTemplate(ctx, name);
  return findUsers(ctx.db, ctx.workspaceId, id);
}

/** Removes a template with its versions. Mail that was accepted keeps its content, as others keep their copies. */
export async function removeTemplate(ctx: Ctx, name: string, { force }: { force: boolean }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const template = await getLockedTemplate(ctx, tx, name);
    const [user] = force ? [] : await findUsers(tx, ctx.workspaceId, template.id);
    if (user !== undefined) {
      throw conflict(
        `The template "${user.name}" is made of this one. See GET /v1/templates/:id/used-by, or delete it with ?force=true.`,
      );
    }
    await deleteTemplate(tx, ctx.workspaceId, template.id);
    await noteTemplate(ctx, tx, template, { action: 'deleted', details: { force } });
  });
}
