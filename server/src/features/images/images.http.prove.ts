import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { aPng as anyPng } from '../../../test/harness/a-png.ts';
import { createTestApp, TEST_ADMIN, type TestAnswer, type TestApp } from '../../../test/harness/app.ts';
import { aNewsletter, anImage, aWorkspace } from '../../../test/harness/builders.ts';
import { purgeImages, queueImagePurge } from './purge-images.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_IMAGES_MAX: '13', POSTHORN_IMAGES_MB: '4' } });
});
after(() => app.close());

// oxlint-disable-next-line typescript/no-explicit-any -- every answer is held against its schema
type Body = any;

const upload = (body: Buffer, more: { type?: string; url?: string; key?: string } = {}) =>
  app.request({
    method: 'POST',
    url: more.url ?? '/v1/images',
    body,
    headers: { 'content-type': more.type ?? 'image/png' },
    ...(more.key === undefined ? {} : { key: more.key }),
  });
const read = (id: string, key?: string) =>
  app.request({ url: `/v1/images/${id}`, ...(key === undefined ? {} : { key }) });
const remove = (id: string, more = '') => app.request({ method: 'DELETE', url: `/v1/images/${id}${more}` });
const serve = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.app.inject({ method, url: new URL(url).pathname, headers });
const filled = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const aPng = (background: string): Promise<Buffer> => anyPng(40, 30, background);
const bodyOf = ({ status, body, text }: TestAnswer, wanted: number): Body => {
  assert.equal(status, wanted, text);
  return body;
};
const usage = async () => (await sql<Body>`select images, bytes from image_usage`.execute(app.db)).rows[0];
const count = async () => (await sql<Body>`select count(*)::int as n from images`.execute(app.db)).rows[0].n;

test('201 with the image at an address of its own, 200 for the same bytes, which store nothing', async () => {
  const bytes = await aPng('#102030');
  const made = bodyOf(await upload(bytes, { url: '/v1/images?filename=logo.png' }), 201);
  assert.deepEqual(
    [made.filename, made.content_type, made.width, made.height, made.frames, made.large],
    ['logo.png', 'image/png', 40, 30, 1, null],
  );
  assert.match(made.url, /^http:\/\/localhost:\d+\/images\/[\w-]{22}$/);
  const before = await usage();
  const again = await upload(bytes, { url: '/v1/images?filename=other.png' });
  assert.deepEqual(bodyOf(again, 200), made);
  assert.equal(again.headers['x-existing-resource'], 'true');
  assert.deepEqual(await usage(), before);
  assert.deepEqual(bodyOf(await read(made.id), 200), made);
});

test('the served bytes are never those that were uploaded, and hold no metadata', async () => {
  const exif = { IFD0: { Copyright: 'CANARY-EXIF' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
  const photo = await filled(60, 40, '#ff0000').jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer();
  const script = Buffer.from('*/=1;alert("CANARY-JS")//<script>alert(1)</script>');
  const gif = Buffer.concat([await filled(20, 20, '#00ff00').gif().toBuffer(), script]);
  assert.ok(photo.includes('CANARY-EXIF') && gif.includes('CANARY-JS'), 'they were there');
  for (const [bytes, type, size] of [
    [photo, 'image/jpeg', [40, 60]],
    [gif, 'image/gif', [20, 20]],
  ] as const) {
    const made = bodyOf(await upload(bytes, { type }), 201);
    assert.deepEqual([made.width, made.height], size, 'upright');
    const { rawPayload } = await serve(made.url);
    for (const word of ['CANARY', 'Exif', 'GPS', '<script', 'ICC']) assert.ok(!rawPayload.includes(word), word);
    assert.notDeepEqual(rawPayload, bytes);
    assert.equal((await sharp(rawPayload).metadata()).exif, undefined);
  }
});

test('a large photo has a form for mail, 1,200 px wide, and one for pages; WebP becomes JPEG', async () => {
  const made = bodyOf(
    await upload(await filled(3_000, 1_500, '#336699').webp().toBuffer(), { type: 'image/webp' }),
    201,
  );
  assert.deepEqual([made.content_type, made.width, made.height], ['image/jpeg', 1_200, 600]);
  assert.deepEqual([made.large.width, made.large.height], [2_400, 1_200]);
  const large = await sharp((await serve(made.large.url)).rawPayload).metadata();
  assert.deepEqual([large.width, large.format, large.space], [2_400, 'jpeg', 'srgb']);
});

test('an animation keeps its frames, 600 px wide', async () => {
  const [width, height, frames] = [800, 40, 3];
  const raw = Buffer.alloc(width * height * frames * 3).map((_, at) => Math.floor(at / (width * height * 3)) * 90);
  const bytes = await sharp(raw, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: [50, 50, 50] })
    .toBuffer();
  const made = bodyOf(await upload(bytes, { type: 'image/gif' }), 201);
  assert.deepEqual([made.content_type, made.width, made.height, made.frames], ['image/gif', 600, 30, 3]);
  assert.equal((await sharp((await serve(made.url)).rawPayload).metadata()).pages, 3);
});

test('served for a year, as an image and nothing else; 304 for its ETag; HEAD; no cookie', async () => {
  const { url } = bodyOf(await upload(await aPng('#203040')), 201);
  const { statusCode, headers, rawPayload } = await serve(url);
  assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png']);
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; sandbox;/);
  assert.match(String(headers['content-disposition']), /^inline; filename="[\w-]{22}\.png"$/);
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(headers['set-cookie'], undefined);
  const fresh = await serve(url, { 'if-none-match': String(headers['etag']) });
  assert.deepEqual([fresh.statusCode, fresh.rawPayload.length], [304, 0]);
  const head = await serve(url, {}, 'HEAD');
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(rawPayload.length)]);
  const browser = await serve(url, { 'sec-fetch-mode': 'navigate', accept: 'text/html' });
  assert.equal(browser.headers['content-type'], 'image/png', 'a browser that opens it gets the image');
});

test('404 for an address that nobody has', async () => {
  for (const path of ['/images/x', `/images/${'A'.repeat(22)}`, `/images/${'A'.repeat(22)}/large`, '/images/..%2f']) {
    const { statusCode } = await app.app.inject({ url: path });
    assert.equal(statusCode, 404, path);
  }
});

test('422 in words for what is no image, and nothing is stored', async () => {
  const jpeg = await filled(300, 300, '#888888').jpeg().toBuffer();
  const png = await filled(300, 300, '#888888').png().toBuffer();
  const before = [await usage(), await count()];
  const cases: [file: Buffer, says: RegExp][] = [
    [Buffer.alloc(0), /file is empty/],
    [Buffer.from('<html><script>alert(1)</script>'), /not an image in a known format/],
    [Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), /SVG images/],
    [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), /HEIC photo.*Save it as JPEG/],
    [Buffer.from('\0\0\0\x18ftypavif\0\0\0\0'), /AVIF/],
    [Buffer.from('%PDF-1.7'), /PDF/],
    [Buffer.from('GIF89a/*\0\0\0\0\0*/=alert(1);//'), /damaged or incomplete/],
    [jpeg.subarray(0, jpeg.length >> 1), /damaged or incomplete/],
    [png.subarray(0, png.length >> 1), /damaged or incomplete/],
  ];
  for (const [file, says] of cases) {
    const { message, param } = bodyOf(await upload(file), 422);
    assert.match(message, says);
    assert.equal(param, 'body');
  }
  assert.deepEqual([await usage(), await count()], before);
  assert.deepEqual(app.logged, []);
});

test('413 and 415 before anything is read', async () => {
  const { status } = await upload(Buffer.alloc(10 * 1_048_576 + 1));
  assert.equal(status, 413);
  assert.equal(
    bodyOf(await upload(Buffer.from('<svg/>'), { type: 'image/svg+xml' }), 415).message,
    'The content type must be image/png or image/jpeg or image/gif or image/webp.',
  );
});

test('a deleted image leaves the list and is served for 30 days; the same file brings it back', async () => {
  const bytes = await aPng('#304050');
  const { id, url } = bodyOf(await upload(bytes), 201);
  const { served_until: until } = bodyOf(await remove(id), 200);
  assert.ok(Math.abs(Date.parse(until) - Date.now() - 30 * 86_400_000) < 600_000);
  assert.equal((await read(id)).status, 404);
  assert.equal((await remove(id)).status, 404);
  const list = bodyOf(await app.request({ url: '/v1/images' }), 200);
  assert.ok(list.data.every((one: Body) => one.id !== id));
  assert.equal((await serve(url)).headers['cache-control'], 'public, max-age=3600');
  assert.equal(bodyOf(await upload(bytes), 200).id, id);
  assert.equal((await read(id)).status, 200);
});

test('a purged image is gone at once and gives its room back, also one that was deleted before', async () => {
  const before = await usage();
  const { id, url } = bodyOf(await upload(await aPng('#405060')), 201);
  assert.equal((await serve(url)).statusCode, 200);
  bodyOf(await remove(id), 200);
  assert.equal(bodyOf(await remove(id, '?purge=true'), 200).served_until, null);
  assert.equal((await serve(url)).statusCode, 404);
  assert.deepEqual(await usage(), before);
});

test('a deleted image is removed after 30 days, and no other', async () => {
  const before = await usage();
  const [old, young] = [
    bodyOf(await upload(await aPng('#506070')), 201),
    bodyOf(await upload(await aPng('#607080')), 201),
  ];
  for (const { id } of [old, young]) await remove(id);
  await sql`update images set deleted_at = now() - interval '31 days' where id = ${old.id}`.execute(app.db);
  assert.deepEqual([await purgeImages(app.db), await purgeImages(app.db)], [true, false]);
  const { rows } = await sql<{ id: string }>`select id from images where id in (${old.id}, ${young.id})`.execute(
    app.db,
  );
  assert.deepEqual(rows, [{ id: young.id }]);
  bodyOf(await remove(young.id, '?purge=true'), 200);
  assert.deepEqual(await usage(), before);
});

test('images of a deleted workspace are served no more, and go page by page', async () => {
  const workspaceId = await aWorkspace(app.db);
  await anImage(app.db, workspaceId, 'logo.png');
  const { rows: addresses } = await sql<{ address: string }>`
    select address from images where workspace_id = ${workspaceId}`.execute(app.db);
  const url = `http://localhost/images/${addresses[0]?.address}`;
  await queueImagePurge(app.db, workspaceId);
  await sql`delete from workspaces where id = ${workspaceId}`.execute(app.db);
  assert.equal((await serve(url)).statusCode, 404);
  while (await purgeImages(app.db));
  const { rows } = await sql<Body>`
    select (select count(*)::int from images where workspace_id = ${workspaceId}) as images,
           (select count(*)::int from image_files where workspace_id = ${workspaceId}) as files,
           (select count(*)::int from image_purges) as purges`.execute(app.db);
  assert.deepEqual(rows, [{ images: 0, files: 0, purges: 0 }]);
});

test('a key that is limited to a newsletter sees and deletes only what it has uploaded', async () => {
  const { id: newsletterId } = await aNewsletter(app.db, app.workspaceId);
  const { body: session } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  const made = await app.request({
    url: '/v1/api-keys',
    key: String(Reflect.get(Object(session), 'token')),
    body: { name: 'limited', scopes: ['issues:write'], newsletter_ids: [newsletterId] },
  });
  const { key } = bodyOf(made, 201);
  const others = bodyOf(await upload(await aPng('#8090a0')), 201);
  const own = bodyOf(await upload(await aPng('#90a0b0'), { key }), 201);
  const list = bodyOf(await app.request({ url: '/v1/images', key }), 200);
  assert.deepEqual([list.data.map((one: Body) => one.id), list.total], [[own.id], 1]);
  assert.equal((await read(others.id, key)).status, 404);
  assert.equal((await app.request({ method: 'DELETE', url: `/v1/images/${others.id}`, key })).status, 404);
  assert.equal((await read(others.id)).status, 200);
});

test('an image of this server may be the logo of a newsletter, wherever its name leads', async () => {
  const { url } = bodyOf(await upload(await aPng('#c0d0e0')), 201);
  const made = bodyOf(
    await app.request({ url: '/v1/newsletters', body: { name: 'Logo', slug: 'with-logo', logo_url: url } }),
    201,
  );
  assert.equal(made.logo_url, url);
  const other = url.replace('/images/', '/other/');
  const body = { name: 'Logo', slug: 'with-other', logo_url: other };
  assert.equal((await app.request({ url: '/v1/newsletters', body })).status, 422);
});

test('a list is read page by page, newest first', async () => {
  const first = bodyOf(await app.request({ url: '/v1/images?limit=2' }), 200);
  assert.equal(first.data.length, 2);
  const next = bodyOf(await app.request({ url: `/v1/images?limit=2&cursor=${first.next_cursor}` }), 200);
  const ids = [...first.data, ...next.data].map((one: Body) => one.id);
  assert.deepEqual(ids, ids.toSorted().toReversed());
  assert.equal(new Set(ids).size, 4);
});

test('422 with the remedy when the workspace has no room, by count and by size', async () => {
  await sql`update image_usage set images = 13`.execute(app.db);
  const { message } = bodyOf(await upload(await aPng('#a0b0c0')), 422);
  assert.match(message, /has 13 images, and may have 13\..*purge=true.*POSTHORN_IMAGES_MAX/);
  await sql`update image_usage set images = 1, bytes = ${4 * 1_048_576 - 10}`.execute(app.db);
  const before = await count();
  assert.match(
    bodyOf(await upload(await aPng('#b0c0d0')), 422).message,
    /may have 4; this one needs.*POSTHORN_IMAGES_MB/,
  );
  assert.equal(await count(), before);
});
