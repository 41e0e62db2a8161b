import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getLockedTemplate, getTemplate } from './get-template.ts';
import { deleteTemplate, findUsers } from './queries.ts';
import type { TemplatePorts } from './wiring.ts';
import { noteTemplate } from './write-version.ts';

type Users = Pick<TemplatePorts, 'scheduledOfTemplate' | 'automationsOfTemplate'>;

/** Templates that are made of this one, emails that wait to be sent with it, and automations that send it. */
export async function usersOfTemplate(ctx: Ctx, name: string, { scheduledOfTemplate, automationsOfTemplate }: Users) {
  const { id } = await getTemplate(ctx, name);
  const waiting = await scheduledOfTemplate(ctx.db, ctx.workspaceId, id);
  return {
    templates: await findUsers(ctx.db, ctx.workspaceId, id),
    scheduled_emails: waiting.map((email) => ({ id: email.id, scheduled_for: email.scheduledFor })),
    automations: await automationsOfTemplate(ctx.db, ctx.workspaceId, id),
  };
}

/**
 * Removes a template with its versions. Mail that was accepted keeps its content, as others keep their copies.
 * Scheduled emails that wait for their time with it fail then, and so do steps of automations.
 */
export async function removeTemplate(
  ctx: Ctx,
  name: string,
  { force, scheduledOfTemplate, automationsOfTemplate }: Users & { force: boolean },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const template = await getLockedTemplate(ctx, tx, name);
    const [user] = force ? [] : await findUsers(tx, ctx.workspaceId, template.id);
    if (user !== undefined) {
      throw conflict(
        `The template "${user.name}" is made of this one. See GET /v1/templates/:id/used-by, or delete it with ?force=true.`,
      );
    }
    const [email] = force ? [] : await scheduledOfTemplate(tx, ctx.workspaceId, template.id);
    if (email !== undefined) {
      throw conflict(
        `The scheduled email ${email.id} waits to be sent with this template. See GET /v1/templates/:id/used-by, or delete it with ?force=true.`,
      );
    }
    const [automation] = force ? [] : await automationsOfTemplate(tx, ctx.workspaceId, template.id);
    if (automation !== undefined) {
      throw conflict(
        `The enabled automation "${automation.name}" sends this template. See GET /v1/templates/:id/used-by, or delete it with ?force=true.`,
      );
    }
    await deleteTemplate(tx, ctx.workspaceId, template.id);
    await noteTemplate(ctx, tx, template, { action: 'deleted', details: { force } });
  });
}
