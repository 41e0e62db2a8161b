import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { mtaStsPolicy, mtaStsRecord } from '#mail/mta-sts.ts';
import { loadSettings } from '#platform/config/settings.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';
import type { Finding } from '../finding.ts';
import { MTA_STS } from './about-mta-sts.ts';
import { checkMtaSts } from './check-mta-sts.ts';

const POLICY = mtaStsPolicy('enforce', 'mx.example.com');
const NAMES = { POSTHORN_BOUNCE_DOMAIN: 'bounces.example.com', POSTHORN_INBOUND_HOST: 'mx.example.com' };
const noSuchName = (): Promise<never> => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-mta-sts-'));
});
after(() => rm(folder, { recursive: true }));

interface Patient {
  mode?: string;
  env?: Record<string, string>;
  policy?: string | null;
  txt?: () => Promise<string[][]>;
}

async function look({ mode = 'none', env = NAMES, policy = mtaStsPolicy('none', ''), txt = noSuchName }: Patient) {
  const asked: string[] = [];
  const { settings } = loadSettings({ ...env, POSTHORN_MTA_STS: mode });
  const request: SafeFetch['request'] = async (url) => {
    asked.push(String(url));
    if (policy === null) return { kind: 'failed', reason: 'nobody answers', tookMs: 1 };
    const answered = { status: 200, statusText: 'OK', headers: {}, truncated: false, tookMs: 1 };
    return { kind: 'answered', body: Buffer.from(policy), ...answered };
  };
  return { asked, found: await checkMtaSts({ settings, fetch: { request }, resolveTxt: txt }) };
}
const kindsOf = (found: Finding[]): string[] =>
  found.map(({ cause, status }) => {
    const start = (text: string): string => text.split('<')[0] ?? '';
    const kind = Object.entries(MTA_STS.troubles).find(([, one]) => cause?.startsWith(start(one.cause)));
    return kind?.[0] ?? status;
  });
async function certificate(dnsNames: string[]): Promise<Record<string, string>> {
  const { cert, key } = selfSignedCertificate({ commonName: 'mx', dnsNames, now: new Date(), days: 30 });
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  return { POSTHORN_TLS_CERT: certFile, POSTHORN_TLS_KEY: keyFile };
}

test('nothing is looked at while there is no policy, or no bounce domain', async () => {
  for (const patient of [{ mode: 'off' }, { mode: 'enforce', env: {} }]) {
    const { asked, found } = await look(patient);
    assert.deepEqual([asked, kindsOf(found)], [[], ['skipped']]);
  }
});

test('a policy that is published and announced is well; the record may be cut into strings', async () => {
  const record = mtaStsRecord(mtaStsPolicy('none', ''));
  const { asked, found } = await look({ txt: async () => [['v=spf1 -all'], [record.slice(0, 9), record.slice(9)]] });
  assert.deepEqual(kindsOf(found), ['ok']);
  assert.deepEqual(asked, ['https://mta-sts.bounces.example.com/.well-known/mta-sts.txt']);
});

test('a policy is an error without a certificate that others believe, or where another is served', async () => {
  const record = async (): Promise<string[][]> => [[mtaStsRecord(POLICY)]];
  const enforced = { mode: 'enforce', policy: POLICY, txt: record };
  assert.deepEqual(kindsOf((await look(enforced)).found), ['no certificate']);
  const env = { ...NAMES, ...(await certificate(['mx.example.com'])) };
  assert.deepEqual(kindsOf((await look({ ...enforced, env })).found), ['no certificate']);
  const other = { ...NAMES, ...(await certificate(['other.example.com'])) };
  assert.deepEqual(kindsOf((await look({ ...enforced, env: other })).found), ['other name']);
  const noneServed = await look({ txt: async () => [[mtaStsRecord(mtaStsPolicy('none', ''))]], policy: null });
  assert.deepEqual(kindsOf(noneServed.found), ['no policy']);
  assert.match(noneServed.found[0]?.message ?? '', /nobody answers/);
  assert.deepEqual(kindsOf((await look({ policy: POLICY })).found), ['no policy', 'no record']);
});

test('a record that is missing, old or doubled is told with the one to publish; a DNS that is silent is no finding', async () => {
  const value = mtaStsRecord(mtaStsPolicy('none', ''));
  const cases: [string, () => Promise<string[][]>][] = [
    ['no record', noSuchName],
    ['no record', async () => [['v=spf1 -all']]],
    ['other id', async () => [['v=STSv1; id=old;']]],
    ['other id', async () => [[value], [value]]],
  ];
  for (const [kind, txt] of cases) {
    const { found } = await look({ txt });
    assert.deepEqual(kindsOf(found), [kind]);
    assert.ok(found[0]?.fix?.includes(value));
  }
  const silent = await look({ txt: () => Promise.reject(Object.assign(new Error('slow'), { code: 'ETIMEOUT' })) });
  assert.deepEqual(kindsOf(silent.found), ['skipped']);
});
