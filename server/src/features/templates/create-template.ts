import { inTransaction } from '#platform/db/database.ts';
import type { Db } from '#platform/db/database.ts';
import { type AppError, conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { getTemplate, getVersion } from './get-template.ts';
import { countTemplates, insertTemplate, insertVersion, lockCreation } from './queries.ts';
import { type Template, TEMPLATES_MAX, type TemplateContent, type TemplateVersion } from './stored-template.ts';
import { nextContent, type TemplateInput } from './template-input.ts';
import { makeVersion, noteTemplate } from './write-version.ts';

export interface WrittenTemplate {
  template: Template;
  version: TemplateVersion;
}

/** Makes a template with its first version. 409: the alias is taken, or the workspace has as many as it may. */
export const createTemplate = (ctx: Ctx, input: TemplateInput & { name: string }): Promise<WrittenTemplate> =>
  inTransaction(ctx.db, (tx) =>
    insertNew(ctx, tx, {
      name: input.name,
      alias: input.alias ?? null,
      content: nextContent(input),
      publish: input.publish ?? true,
    }),
  );

/** Makes another template of the newest version, which is published when that one is. */
export async function duplicateTemplate(
  ctx: Ctx,
  name: string,
  given: { name?: string; alias?: string | null },
): Promise<WrittenTemplate> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const from = await getTemplate(inside, name);
    const content = await getVersion(inside, from);
    return insertNew(ctx, tx, {
      name: given.name ?? `Copy of ${from.name}`.slice(0, 200).toWellFormed(),
      alias: given.alias ?? null,
      content: contentOf(content),
      publish: content.publishedAt !== null,
    });
  });
}

const contentOf = ({ subject, preheader, html, text, from, replyTo, layout, declared, samples }: TemplateVersion) => ({
  subject,
  preheader,
  html,
  text,
  from,
  replyTo,
  layout,
  declared,
  samples,
});

interface NewTemplate {
  name: string;
  alias: string | null;
  content: TemplateContent;
  publish: boolean;
}

async function insertNew(ctx: Ctx, tx: Db, { name, alias, content, publish }: NewTemplate): Promise<WrittenTemplate> {
  await lockCreation(tx, ctx.workspaceId);
  const all = await countTemplates(tx, ctx.workspaceId, { search: null, status: null });
  if (all >= TEMPLATES_MAX) throw conflict(`A workspace has at most ${TEMPLATES_MAX} templates. Delete one first.`);
  const now = ctx.clock.now();
  const template: Template = {
    workspaceId: ctx.workspaceId,
    id: newId(),
    name,
    alias,
    version: 1,
    publishedVersion: publish ? 1 : null,
    createdAt: now,
    updatedAt: now,
  };
  const version = await makeVersion(ctx, tx, { template, content, publish });
  if (!(await insertTemplate(tx, template))) throw aliasTaken(alias);
  await insertVersion(tx, ctx.workspaceId, version);
  await noteTemplate(ctx, tx, template, { action: 'created', details: { alias, published: publish } });
  return { template, version };
}

export const aliasTaken = (alias: string | null): AppError =>
  conflict(`Another template of this workspace has the alias "${alias ?? ''}".`, 'alias');
