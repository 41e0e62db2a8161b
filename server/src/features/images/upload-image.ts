import { createHash, randomBytes } from 'node:crypto';
import type { AuditLog } from '#features/audit';
import { inTransaction } from '#platform/db/database.ts';
import { withThousands } from '#platform/english.ts';
import { notFound, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { decodeImage } from './decoding/decode-image.ts';
import type { DecodingSlots } from './decoding/decoding-slots.ts';
import type { Image } from './image.ts';
import { findUsage, holdWorkspace, insertImage, restoreImageOf, takeRoom } from './queries.ts';

const ADDRESS_BYTES = 16;
const MB = 1_048_576;

/**
 * Stores the pixels of an uploaded file and forgets the file. The same bytes in the same workspace are the same image:
 * they are known by their SHA-256, before anything is decoded. Decoding is not part of any transaction.
 */
export async function uploadImage(
  ctx: Ctx,
  { bytes, filename }: { bytes: Buffer; filename: string | undefined },
  { inSlot, audit }: { inSlot: DecodingSlots; audit: AuditLog },
): Promise<{ image: Image; isNew: boolean }> {
  const sourceHash = createHash('sha256').update(bytes).digest();
  const known = await restoreImageOf(ctx.db, ctx.workspaceId, sourceHash);
  if (known !== undefined) return { image: known, isNew: false };
  await requireRoom(ctx);
  const decoded = await inSlot(ctx.workspaceId, () => decodeImage(bytes, ctx.clock));
  const stored = await inTransaction(ctx.db, async (tx) => {
    if (!(await holdWorkspace(tx, ctx.workspaceId))) throw notFound('workspace', ctx.workspaceId);
    const image = await insertImage(tx, {
      workspaceId: ctx.workspaceId,
      id: newId(),
      sourceHash,
      address: randomBytes(ADDRESS_BYTES).toString('base64url'),
      filename: filename ?? null,
      apiKeyId: ctx.actor.apiKey?.id ?? null,
      decoded,
    });
    if (image === undefined) return undefined;
    const size = decoded.mail.bytes.length + (decoded.large?.bytes.length ?? 0);
    if (!(await takeRoom(tx, ctx.workspaceId, { bytes: size, ...limitsOf(ctx) }))) throw await noRoom(ctx, size);
    return image;
  });
  if (stored === undefined) {
    const first = await restoreImageOf(ctx.db, ctx.workspaceId, sourceHash);
    if (first === undefined) throw new Error('an image was removed while it was uploaded');
    return { image: first, isNew: false };
  }
  const { width, height, contentType } = stored;
  audit.record(ctx, {
    action: 'image.uploaded',
    targetType: 'image',
    targetId: stored.id,
    details: { content_type: contentType, width, height },
  });
  return { image: stored, isNew: true };
}

const limitsOf = ({ settings }: Ctx) => ({
  imagesMax: settings.imagesMax,
  bytesMax: settings.imagesMb * MB,
});

/** Before the work of decoding; `takeRoom` decides. */
async function requireRoom(ctx: Ctx): Promise<void> {
  const { imagesMax, bytesMax } = limitsOf(ctx);
  const { images, bytes } = await findUsage(ctx.db, ctx.workspaceId);
  if ((imagesMax > 0 && images >= imagesMax) || (bytesMax > 0 && bytes >= bytesMax)) throw await noRoom(ctx, 0);
}

async function noRoom(ctx: Ctx, size: number) {
  const { imagesMax, bytesMax } = limitsOf(ctx);
  const { images, bytes } = await findUsage(ctx.db, ctx.workspaceId);
  const isCount = imagesMax > 0 && images >= imagesMax;
  const mb = (count: number) => (count / MB).toLocaleString('en', { maximumFractionDigits: 1 });
  const full = isCount
    ? `This workspace has ${withThousands(images)} images, and may have ${withThousands(imagesMax)}.`
    : `This workspace has ${mb(bytes)} MB of images, and may have ${mb(bytesMax)}${size === 0 ? '' : `; this one needs ${mb(size)}`}.`;
  const setting = isCount ? 'POSTHORN_IMAGES_MAX' : 'POSTHORN_IMAGES_MB';
  return unacceptable(
    'body',
    `${full} Remove images that no mail needs with DELETE /v1/images/:id?purge=true, or ask the operator to raise ${setting}.`,
  );
}
