import { recordSecurityEvent } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type ChangedFields, changedFields } from '#platform/records/changed-fields.ts';
import { pinTemplate, type PinnedTemplate, requireSamples } from './pin-template.ts';
import { deleteOldDrafts, insertVersion, updateTemplate } from './queries.ts';
import type { Template, TemplateContent, TemplateVersion } from './stored-template.ts';

interface NewVersion {
  template: Template;
  content: TemplateContent;
  publish: boolean;
  /** Copies that are taken over; made anew when left out. */
  pinned?: PinnedTemplate;
}

/** A version that can be read, and whose samples render when it is to be published. Nothing is stored. */
export async function makeVersion(
  ctx: Ctx,
  tx: Db,
  { template, content, publish, pinned }: NewVersion,
): Promise<TemplateVersion> {
  const made = pinned ?? (await pinTemplate(tx, template, content));
  if (publish) await requireSamples(content, made);
  const now = ctx.clock.now();
  return {
    ...content,
    ...made,
    templateId: template.id,
    version: template.version,
    publishedAt: publish ? now : null,
    createdBy: ctx.actor.id,
    createdAt: now,
  };
}

/** Stores the next version of a template that is held. `before`: as it is stored, for the log. */
export async function addVersion(
  ctx: Ctx,
  tx: Db,
  given: NewVersion & { before: Template; action: string; details?: Record<string, unknown> },
): Promise<{ template: Template; version: TemplateVersion }> {
  const number = given.template.version + 1;
  const template = {
    ...given.template,
    version: number,
    publishedVersion: given.publish ? number : given.template.publishedVersion,
    updatedAt: ctx.clock.now(),
  };
  const version = await makeVersion(ctx, tx, { ...given, template });
  await insertVersion(tx, ctx.workspaceId, version);
  await updateTemplate(tx, template);
  await deleteOldDrafts(tx, template);
  await noteTemplate(ctx, tx, template, {
    action: given.action,
    details: { ...given.details, version: number, published: given.publish, ...changesOf(given.before, template) },
  });
  return { template, version };
}

/** The fields beside the content, with the values before; none when none has changed. */
export function changesOf(before: Template, after: Template): { changes?: ChangedFields } {
  const changes = changedFields(before, after, ['name', 'alias', 'publishedVersion']);
  return changes === null ? {} : { changes };
}

/** The bodies are not repeated in the log: every version stays readable. */
export const noteTemplate = (
  ctx: Ctx,
  tx: Db,
  template: Pick<Template, 'id' | 'name'>,
  { action, details = {} }: { action: string; details?: Record<string, unknown> },
): Promise<void> =>
  recordSecurityEvent(tx, ctx, {
    action: `template.${action}`,
    targetType: 'template',
    targetId: template.id,
    details: { name: template.name, ...details },
  });
