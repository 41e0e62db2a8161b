import { Type } from 'typebox';
import type { Ctx } from '#platform/http/context.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Answer, answer, type Route, route } from '#platform/http/route.ts';
import { copyImage, type CopyPorts } from './copying/copy-image.ts';
import { deleteImage } from './delete-image.ts';
import { type Image, imageView } from './image.ts';
import { getImage, listImages } from './list-images.ts';
import * as schemas from './schemas.ts';
import type { ServedImages } from './serve-image.ts';
import { uploadImage } from './upload-image.ts';

const TAG = 'Images';
const BYTES_MAX = 10 * 1_048_576;

export interface ImagePorts extends CopyPorts {
  served: ServedImages;
}

export const imageRoutes = (ports: ImagePorts): Route[] => [
  route({
    method: 'POST',
    path: '/v1/images',
    id: 'upload_image',
    tag: TAG,
    summary: 'Upload an image',
    description:
      'The body is the file: PNG, JPEG, GIF or WebP of at most 10 MB, 50 million pixels, 30,000 pixels on a side and 300 frames. Posthorn ' +
      'encodes its pixels anew, at most 1,200 px wide for mail, without metadata, and does not keep the file. The same ' +
      'file again gives 200 and the same image. 422 when the file is no such image, is damaged or too large, and when ' +
      'the workspace has no room. 503 with `Retry-After` when many images are uploaded at once.',
    access: { scope: 'issues:write' },
    status: 201,
    query: schemas.UploadQuery,
    body: { bytes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], bytesMax: BYTES_MAX },
    example: { query: { filename: 'logo.png' }, file: 'logo.png' },
    response: schemas.Image,
    otherResponses: { 200: schemas.Image },
    errors: [413, 415, 422, 503],
    outsideTransaction: true,
    handler: async (ctx, { body, query }) =>
      answerStored(ctx, await uploadImage(ctx, { bytes: body, filename: query.filename }, ports)),
  }),
  route({
    method: 'POST',
    path: '/v1/images/copy',
    id: 'copy_image',
    tag: TAG,
    summary: 'Copy an image from another server',
    description:
      'Posthorn fetches the address and stores the image as if you had uploaded the file, with the same bounds and the ' +
      'same answer. Mail then shows it as long as Posthorn serves it, whatever becomes of the other server. The ' +
      'address must be public; it may redirect three times, and has ten seconds. 422 with `param: "url"` when it may ' +
      'not be reached, does not answer with an image, or the image is too large. 503 with `Retry-After` when two are ' +
      'being fetched for the workspace already.',
    access: { scope: 'issues:write' },
    status: 201,
    body: { json: schemas.CopyBody },
    example: { body: { url: 'https://www.example.com/pictures/harbour.jpg' } },
    response: schemas.Image,
    otherResponses: { 200: schemas.Image },
    errors: [422, 503],
    outsideTransaction: true,
    handler: async (ctx, { body }) =>
      answerStored(ctx, await copyImage(ctx, { url: body.url, bytesMax: BYTES_MAX }, ports)),
  }),
  route({
    method: 'GET',
    path: '/v1/images',
    id: 'list_images',
    tag: TAG,
    summary: 'List images',
    description:
      'Newest first. A key that is restricted to some newsletters or domains sees the images that it has uploaded.',
    access: { scope: 'issues:read' },
    query: schemas.ImagesQuery,
    response: listEnvelope(schemas.Image),
    async handler(ctx, { query, request }) {
      const page = readPage(query);
      const { rows, total } = await listImages(ctx, page);
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      const view = rows.map((row) => imageView(row, ctx.settings));
      return answerPage(page, view, { total, url: request.url, totalIsEstimate });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/images/:id',
    id: 'get_image',
    tag: TAG,
    summary: 'Read an image',
    description: 'Its addresses and sizes. The image itself is at `url`.',
    access: { scope: 'issues:read' },
    params: schemas.ImageParams,
    response: schemas.Image,
    errors: [404],
    handler: async (ctx, { params }) => imageView(await getImage(ctx, params.id), ctx.settings),
  }),
  route({
    method: 'DELETE',
    path: '/v1/images/:id',
    id: 'delete_image',
    tag: TAG,
    summary: 'Delete an image',
    description:
      'It leaves the list, and its address answers for 30 more days, because mail that was sent leads to it. Until ' +
      'then the same file brings it back, and it counts as room. With `purge=true` it is removed at once, also when it ' +
      'was deleted before; mail programs may keep copies.',
    access: { scope: 'issues:write' },
    params: schemas.ImageParams,
    query: schemas.DeleteQuery,
    response: schemas.DeletedImage,
    errors: [404],
    async handler(ctx, { params, query }) {
      const servedUntil = await deleteImage(ctx, { id: params.id, purge: query.purge === 'true' }, ports);
      return { success: true, id: params.id, served_until: servedUntil?.toISOString() ?? null };
    },
  }),
  route({
    ...publicFile,
    method: 'GET',
    path: '/images/:address',
    id: 'serve_image',
    summary: 'Image: for mail',
    handler: async (ctx, { params }) => served(await ports.served.serve(ctx.db, params.address, 'mail')),
  }),
  route({
    ...publicFile,
    method: 'GET',
    path: '/images/:address/large',
    id: 'serve_large_image',
    summary: 'Image: for pages',
    handler: async (ctx, { params }) => served(await ports.served.serve(ctx.db, params.address, 'large')),
  }),
];

function answerStored(ctx: Ctx, { image, isNew }: { image: Image; isNew: boolean }) {
  const record = imageView(image, ctx.settings);
  return isNew ? record : answer(record, { status: 200, headers: { 'x-existing-resource': 'true' } });
}

const publicFile = {
  tag: TAG,
  access: 'public',
  hidden: true,
  params: Type.Object({ address: Type.String() }),
  response: { file: 'image/png' },
} as const;

const served = ({ body, headers }: { body: Buffer; headers: Record<string, string> }): Answer =>
  answer(body, { headers });
