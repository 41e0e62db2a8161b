import { createReadStream } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesEncoding } from '#platform/http/serve/compress-answer.ts';
import { type DashboardFile, ENCODING_NAMES, type Encoding } from './dashboard-files.ts';

/** Sends a file of the build, in the best encoding that the browser takes and the build has made. */
export function sendFile(file: DashboardFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(file, request.headers['accept-encoding']);
  reply
    .header('etag', file.etag)
    .header('vary', 'Accept-Encoding')
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('cross-origin-resource-policy', 'same-origin');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const { path, bytes } = (encoding === undefined ? undefined : file.copies[encoding]) ?? file.plain;
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.type(file.type).header('content-length', bytes);
  return reply.send(createReadStream(path));
}

function chooseEncoding(file: DashboardFile, accepted: string | undefined): Encoding | undefined {
  return ENCODING_NAMES.find((name) => file.copies[name] !== undefined && takesEncoding(accepted, name));
}
