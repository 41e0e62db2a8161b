import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { aliasTaken, type WrittenTemplate } from './create-template.ts';
import { getLockedTemplate, getVersion } from './get-template.ts';
import { isAliasTaken, markPublished, updateTemplate } from './queries.ts';
import { pinTemplate, requireSamples } from './pin-template.ts';
import type { TemplateContent } from './stored-template.ts';
import { nextContent, type TemplateInput } from './template-input.ts';
import { addVersion, changesOf, noteTemplate } from './write-version.ts';

const CONTENT_FIELDS: readonly (keyof TemplateContent)[] = [
  'subject',
  'preheader',
  'html',
  'text',
  'from',
  'replyTo',
  'layout',
  'declared',
  'samples',
];

/**
 * Makes the next version of what is given, when that changes anything of the content. The name and the alias belong to
 * the template and count at once. An unchanged content is published all the same when the newest version is a draft.
 */
export async function changeTemplate(ctx: Ctx, name: string, input: TemplateInput): Promise<WrittenTemplate> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const current = await getLockedTemplate(ctx, tx, name);
    const newest = await getVersion(inside, current);
    const alias = input.alias === undefined ? current.alias : input.alias;
    const renamed = { ...current, name: input.name ?? current.name, alias, updatedAt: ctx.clock.now() };
    if (alias !== null && alias !== current.alias && (await isAliasTaken(tx, ctx.workspaceId, alias, current.id))) {
      throw aliasTaken(alias);
    }
    const content = nextContent(input, newest);
    const isChanged = changedFields<TemplateContent>(newest, content, CONTENT_FIELDS) !== null;
    const publish = input.publish ?? true;
    if (isChanged || (publish && newest.publishedAt === null)) {
      return addVersion(ctx, tx, { before: current, template: renamed, content, publish, action: 'updated' });
    }
    const changes = changedFields(current, renamed, ['name', 'alias']);
    if (changes === null) return { template: current, version: newest };
    await updateTemplate(tx, renamed);
    await noteTemplate(ctx, tx, renamed, { action: 'updated', details: { changes } });
    return { template: renamed, version: newest };
  });
}

/** Lets a version send: the newest when none is named. One that was published before is what it was then. */
export async function publishTemplate(ctx: Ctx, name: string, wanted: number | null): Promise<WrittenTemplate> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedTemplate(ctx, tx, name);
    let version = await getVersion({ ...ctx, db: tx }, current, wanted);
    if (version.version === current.publishedVersion) return { template: current, version };
    if (version.publishedAt === null) {
      const pinned = await pinTemplate(tx, current, version);
      await requireSamples(version, pinned);
      version = { ...version, ...pinned, publishedAt: ctx.clock.now() };
      await markPublished(tx, ctx.workspaceId, version);
    }
    const template = { ...current, publishedVersion: version.version, updatedAt: ctx.clock.now() };
    await updateTemplate(tx, template);
    const details = { version: version.version, ...changesOf(current, template) };
    await noteTemplate(ctx, tx, template, { action: 'published', details });
    return { template, version };
  });
}

/** Makes the next version of an older one, with the layouts and partials that it had, and publishes it. */
export async function rollBackTemplate(ctx: Ctx, name: string, wanted: number): Promise<WrittenTemplate> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedTemplate(ctx, tx, name);
    const old = await getVersion({ ...ctx, db: tx }, current, wanted);
    const { variables, pinned, names, uses } = old;
    return addVersion(ctx, tx, {
      before: current,
      template: current,
      content: nextContent({}, old),
      publish: true,
      pinned: { variables, pinned, names, uses },
      action: 'rolled_back',
      details: { to_version: old.version },
    });
  });
}
