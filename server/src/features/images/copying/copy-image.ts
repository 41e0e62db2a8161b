import type { AuditLog } from '#features/audit';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireUrl, type SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { DecodingSlots } from '../decoding/decoding-slots.ts';
import type { Image } from '../image.ts';
import { uploadImage } from '../upload-image.ts';
import { fetchImage } from './fetch-image.ts';
import type { FetchLimit } from './fetch-limit.ts';

export interface CopyPorts {
  audit: AuditLog;
  inSlot: DecodingSlots;
  safeFetch: SafeFetch;
  inFetch: FetchLimit;
}

const NAME_CHARS_MAX = 200;

/**
 * Fetches an image from another server and stores it as an upload of its bytes. Nothing is stored when the address may
 * not be reached (400, 422), or when its answer is no image (422); both name `url`.
 */
export async function copyImage(
  ctx: Ctx,
  { url, bytesMax }: { url: string; bytesMax: number },
  { audit, inSlot, safeFetch, inFetch }: CopyPorts,
): Promise<{ image: Image; isNew: boolean }> {
  const { href } = requireUrl(url, 'url');
  const bytes = await inFetch(ctx.workspaceId, () =>
    fetchImage({ safeFetch, clock: ctx.clock }, { url: href, bytesMax, workspaceId: ctx.workspaceId }),
  );
  try {
    return await uploadImage(ctx, { bytes, filename: filenameOf(href) }, { inSlot, audit });
  } catch (error) {
    // There is no file in the request: the fault is in what the address leads to.
    if (error instanceof AppError && error.extras.param === 'body')
      throw new AppError(error.name, error.message, { ...error.extras, param: 'url' });
    throw error;
  }
}

/** The last part of the path, where it is a name for people. */
function filenameOf(href: string): string | undefined {
  const last = new URL(href).pathname.split('/').at(-1) ?? '';
  const name = decoded(last)
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, NAME_CHARS_MAX);
  return name === '' ? undefined : name;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no UTF-8: as it is written
  }
}
