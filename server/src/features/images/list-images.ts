import { domainsOfKey, newslettersOfKey } from '#features/workspaces';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { Image } from './image.ts';
import { countImages, findImage, pageOfImages } from './queries.ts';

/** A key that is limited to some newsletters or domains sees what it has uploaded; null: the caller sees all. */
export const shownKeyOf = ({ actor }: Ctx): string | null =>
  newslettersOfKey(actor).length > 0 || domainsOfKey(actor).length > 0 ? actor.id : null;

export async function listImages(ctx: Ctx, page: PageRequest): Promise<{ rows: Image[]; total: number | null }> {
  const apiKeyId = shownKeyOf(ctx);
  const { after, offset } = page;
  const rows = await pageOfImages(ctx.db, ctx.workspaceId, { apiKeyId, after, offset, limit: page.limit + 1 });
  const max = EXACT_TOTAL_MAX + 1;
  return { rows, total: after === null ? await countImages(ctx.db, ctx.workspaceId, { apiKeyId, max }) : null };
}

export async function getImage(ctx: Ctx, id: string): Promise<Image> {
  const image = await findImage(ctx.db, ctx.workspaceId, id, shownKeyOf(ctx));
  if (image === undefined) throw notFound('image', id);
  return image;
}
