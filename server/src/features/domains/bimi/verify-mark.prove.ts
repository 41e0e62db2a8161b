import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aPendingDomain } from '../../../../test/harness/builders.ts';
import { type Knot, startKnot } from '../../../../test/harness/knot.ts';
import { selfSignedCertificate } from '../../../../test/harness/self-signed-certificate.ts';
import { needsTool, SYSTEM_TOOLS } from '../../../../test/system-tools.ts';
import type { SystemMail } from '#features/workspaces';
import { type Authority, GOOD_LOGO, makeAuthority, makeMark } from '#mail/bimi/test-kit.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { createLookUp } from '#platform/dns/lookup.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createAddressRules } from '#platform/safe-fetch/address-rules.ts';
import { createSafeFetch, type SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { tellOfExpiry } from './expiry-service.ts';
import type { MarkCheck } from './mark.ts';
import { verifyMark } from './verify-mark.ts';

const log = createLog({ level: 'silent' });
/** The path of a file, and how it is answered. */
const files = new Map<string, { status?: number; type: string; body: Buffer }>();
let app: TestApp;
let knot: Knot;
let web: Server;
let safeFetch: SafeFetch;
let authority: Authority;
let origin: string;
before(async () => {
  if (!SYSTEM_TOOLS.knot.isThere()) return;
  const tls = selfSignedCertificate();
  web = createServer(tls, (request, response) => {
    const file = files.get(request.url ?? '') ?? { status: 404, type: 'text/plain', body: Buffer.from('none') };
    response.writeHead(file.status ?? 200, { 'content-type': file.type, location: '/elsewhere' }).end(file.body);
  });
  web.listen(0, '127.0.0.1');
  [knot, app] = await Promise.all([startKnot(), createTestApp(), once(web, 'listening')]);
  const address = web.address();
  origin = `https://localhost:${typeof address === 'object' ? address?.port : ''}`;
  safeFetch = createSafeFetch({
    allow: ['127.0.0.1/32', '::1/128'],
    development: null,
    ca: tls.cert,
    clock: app.clock,
  });
  const now = app.clock.now().getTime();
  authority = makeAuthority({ from: new Date(now - DAY_MS), to: new Date(now + 400 * DAY_MS) });
});
after(async () => {
  await Promise.all([safeFetch?.close(), knot?.stop(), app?.close()]);
  web?.close();
});

const DAY_MS = 86_400_000;
const here = (t: TestContext): boolean => needsTool(t, 'knot');
const inDays = (days: number): Date => new Date(app.clock.now().getTime() + days * DAY_MS);

/** A domain whose owner did everything right: DMARC, record, logo and certificate. Its id. */
async function aGoodMark(name: string, changed: { to?: Date; record?: string } = {}): Promise<string> {
  const domain = `${name}.test`;
  const id = await aPendingDomain(app.db, app.workspaceId, domain);
  const [svgUrl, certificateUrl] = [`${origin}/${name}.svg`, `${origin}/${name}.pem`];
  files.set(`/${name}.svg`, { type: 'image/svg+xml; charset=utf-8', body: GOOD_LOGO });
  const to = changed.to ?? inDays(300);
  const pem = makeMark(authority, { domains: [domain], from: inDays(-1), to });
  files.set(`/${name}.pem`, { type: 'application/x-pem-file', body: Buffer.from(pem) });
  await sql`
    insert into domain_marks (workspace_id, domain_id, svg_path, svg_url, certificate_url)
    values (${app.workspaceId}, ${id}, 'logo.svg', ${svgUrl}, ${certificateUrl})`.execute(app.db);
  await knot.setText(`_dmarc.${domain}`, ['v=DMARC1; p=reject']);
  await knot.setText(`default._bimi.${domain}`, [changed.record ?? `v=BIMI1; l=${svgUrl}; a=${certificateUrl}`]);
  return id;
}

async function check(id: string): Promise<MarkCheck> {
  const ctx: Ctx = { ...app, actor: systemActor, log, requestId: newId(), ip: '' };
  const servers = [knot];
  const rules = createAddressRules([]);
  const roots = [new X509Certificate(authority.root.pem)];
  const lookUp = () => createLookUp({ servers, rules, clock: app.clock, timeoutMs: 2_000 });
  await sql`update domain_marks set begun_at = null where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(
    app.db,
  );
  return (await verifyMark(ctx, id, { safeFetch, clock: app.clock, lookUp, roots })).check;
}

const codesOf = ({ faults }: MarkCheck): string[] => faults.map(({ group, code }) => `${group} ${code}`);

test('a logo with an enforced policy, its record and its certificate is good, and the certificate is remembered', async (t) => {
  if (!here(t)) return;
  const to = inDays(300);
  const id = await aGoodMark('good', { to });
  const found = await check(id);
  assert.deepEqual([found.dmarcOk, found.bimiOk, codesOf(found)], [true, true, []]);
  assert.deepEqual([found.logo, found.record.status], [GOOD_LOGO, 'found']);
  const { rows } = await sql<{ kind: string; expires: Date }>`
    select certificate_kind as kind, certificate_expires_at as expires from domain_marks
     where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(app.db);
  assert.deepEqual([rows[0]?.kind, rows[0]?.expires.getTime()], ['vmc', Math.floor(to.getTime() / 1_000) * 1_000]);
});

test('all faults of all four groups come at once', async (t) => {
  if (!here(t)) return;
  const id = await aGoodMark('bad', { record: 'v=BIMI1; l=;' });
  await knot.setText('_dmarc.bad.test', ['v=DMARC1; p=none']);
  files.set('/bad.svg', { type: 'text/html', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') });
  const found = await check(id);
  assert.deepEqual([found.dmarcOk, found.bimiOk], [false, false]);
  assert.deepEqual([found.logo, found.record.status], [undefined, 'mismatch']);
  assert.deepEqual(codesOf(found), [
    'dmarc dmarc_not_enforced',
    'record record_declines',
    'svg svg_content_type',
    'svg svg_profile',
    'svg svg_version',
    'svg svg_view_box',
    'svg svg_title',
    'certificate certificate_other_logo',
  ]);
});

test('an answer that is no file is a fault: an error, a redirect, a closed port', async (t) => {
  if (!here(t)) return;
  const id = await aGoodMark('absent');
  files.delete('/absent.svg');
  files.set('/absent.pem', { status: 302, type: 'text/html', body: Buffer.alloc(0) });
  const found = await check(id);
  assert.deepEqual(codesOf(found), ['svg svg_unreachable', 'certificate certificate_unreachable']);
  assert.match(found.faults[0]?.message ?? '', /answers 404/);
  assert.match(found.faults[1]?.message ?? '', /redirects \(302\)/);
  assert.equal(found.certificate, null);
});

test('the policy of a registered domain counts for those below it, and its own weaknesses too', async (t) => {
  if (!here(t)) return;
  const id = await aGoodMark('mail.above');
  await knot.set('_dmarc.mail.above.test', 'TXT', []);
  assert.deepEqual(codesOf(await check(id)), ['dmarc dmarc_missing']);
  await knot.setText('_dmarc.above.test', ['v=DMARC1; p=reject; sp=none']);
  assert.deepEqual(codesOf(await check(id)), ['dmarc dmarc_subdomains']);
  await knot.setText('_dmarc.above.test', ['v=DMARC1; p=reject']);
  assert.deepEqual(codesOf(await check(id)), []);
});

test('owners are told 60, 30 and 7 days before a certificate ends, each time once', async (t) => {
  if (!here(t)) return;
  const id = await aGoodMark('ending', { to: inDays(65) });
  await check(id);
  const mails: SystemMail[] = [];
  const tell = async (days: number): Promise<number> => {
    const now = inDays(days);
    const clock = { ...app.clock, now: () => now };
    const ports = { ...app, clock, log, sendSystemMail: async (_ctx: Ctx, mail: SystemMail) => void mails.push(mail) };
    const before = mails.length;
    while (await tellOfExpiry(ports));
    return mails.length - before;
  };
  const told: number[] = [];
  for (const days of [0, 6, 6, 20, 36, 36, 59, 59, 70]) told.push(await tell(days));
  assert.deepEqual(told, [0, 1, 0, 0, 1, 0, 1, 0, 0]);
  assert.match(mails[0]?.subject ?? '', /^The certificate of the logo of ending\.test expires on /);
});
