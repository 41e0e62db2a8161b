import type { AuditLog } from '#features/audit';
import { onCommit } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { actorShownTo, type Ctx } from '#platform/http/context.ts';
import { hideImage, removeImage } from './queries.ts';
import type { ServedImages } from './serve-image.ts';

/** The days for which mail that was sent still shows a deleted image. */
export const SERVED_DAYS = 30;

/**
 * Takes an image out of the lists; its address answers for 30 more days (decision 0092). With `purge` its bytes go at
 * once. Returns until when it is served; null: it is gone.
 */
export async function deleteImage(
  ctx: Ctx,
  { id, purge }: { id: string; purge: boolean },
  { audit, served }: { audit: AuditLog; served: ServedImages },
): Promise<Date | null> {
  const apiKeyId = actorShownTo(ctx.actor);
  let servedUntil: Date | null = null;
  if (purge) {
    const address = await removeImage(ctx.db, ctx.workspaceId, id, apiKeyId);
    if (address === undefined) throw notFound('image', id);
    onCommit(ctx.db, () => served.forget(address));
  } else {
    servedUntil = (await hideImage(ctx.db, ctx.workspaceId, id, { apiKeyId, servedDays: SERVED_DAYS })) ?? null;
    if (servedUntil === null) throw notFound('image', id);
  }
  onCommit(ctx.db, () =>
    audit.record(ctx, { action: 'image.deleted', targetType: 'image', targetId: id, details: { purge } }),
  );
  return servedUntil;
}
