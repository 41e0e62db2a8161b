import { downloadHeaders } from '#features/emails';
import { decodeTransfer } from '#mail/inbound/decode-part.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readFileLink } from './file-link.ts';
import { getInbound } from './get-inbound.ts';
import type { InboundEmail } from './inbound-email.ts';
import { findInbound, loadMessage, loadPart } from './queries.ts';

interface Download {
  body: Buffer;
  headers: Record<string, string>;
}

/** The message exactly as it came. */
export async function getInboundRaw(ctx: Ctx, id: string): Promise<Download> {
  return rawOf(ctx, await getInbound(ctx, id));
}

/** A file of a message, decoded. */
export async function getInboundFile(ctx: Ctx, id: string, fileId: string): Promise<Download> {
  return fileOf(ctx, await getInbound(ctx, id), fileId);
}

/** The same for whoever has the link. */
export async function getLinkedFile(ctx: Ctx, token: string): Promise<Download> {
  const link = readFileLink(ctx, token);
  const mail = link === undefined ? undefined : await findInbound(ctx.db, link.workspaceId, link.id);
  if (link === undefined || mail === undefined) throw notFound('file', token.slice(0, 20));
  return link.file === 0 ? rawOf(ctx, mail) : fileOf(ctx, mail, String(link.file));
}

async function rawOf({ db }: Ctx, { workspaceId, id }: InboundEmail): Promise<Download> {
  const body = await loadMessage(db, workspaceId, id);
  if (body === undefined) throw notFound('received email', id);
  return { body, headers: downloadHeaders(`${id}.eml`) };
}

async function fileOf({ db }: Ctx, { workspaceId, id, parts }: InboundEmail, fileId: string): Promise<Download> {
  const file = parts.files?.find((one) => one.id === fileId);
  const bytes =
    file === undefined ? undefined : await loadPart(db, workspaceId, { id, start: file.start, end: file.end });
  if (file === undefined || bytes === undefined) throw notFound('attachment', fileId);
  return { body: decodeTransfer(bytes, file.encoding), headers: downloadHeaders(file.filename) };
}
