import { notFound } from '#platform/errors/app-error.ts';
import { actorShownTo, type Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { Image } from './image.ts';
import { countImages, findImage, pageOfImages } from './queries.ts';

export async function listImages(ctx: Ctx, page: PageRequest): Promise<{ rows: Image[]; total: number | null }> {
  const apiKeyId = actorShownTo(ctx.actor);
  const { after, offset } = page;
  const rows = await pageOfImages(ctx.db, ctx.workspaceId, { apiKeyId, after, offset, limit: page.limit + 1 });
  const max = EXACT_TOTAL_MAX + 1;
  return { rows, total: after === null ? await countImages(ctx.db, ctx.workspaceId, { apiKeyId, max }) : null };
}

export async function getImage(ctx: Ctx, id: string): Promise<Image> {
  const image = await findImage(ctx.db, ctx.workspaceId, id, actorShownTo(ctx.actor));
  if (image === undefined) throw notFound('image', id);
  return image;
}
