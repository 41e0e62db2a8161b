import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { expiryStep, MAX_CERTIFICATE_BYTES } from './certificate-limits.ts';
import { judgeCertificate } from './judge-certificate.ts';
import { GOOD_LOGO, type Made, makeAuthority, makeCertificate, makeMark } from './test-kit.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const authority = makeAuthority();
const roots = [new X509Certificate(authority.root.pem)];

const judge = (pem: string, changed: { logo?: Buffer | undefined; now?: Date } = {}) =>
  judgeCertificate({
    pem: Buffer.from(pem),
    where: 'a=',
    domain: 'acme.example',
    logo: GOOD_LOGO,
    now: NOW,
    roots,
    ...changed,
  });
const codesOf = async (...args: Parameters<typeof judge>): Promise<string[]> =>
  (await judge(...args)).faults.map(({ code }) => code);

test('a good certificate has no fault, and its kind, issuer and end are known', async () => {
  const { faults, kind, issuer, expiresAt } = await judge(makeMark(authority));
  assert.deepEqual(faults, []);
  assert.deepEqual([kind, issuer, expiresAt], ['vmc', 'Mark CA', new Date('2027-01-01T00:00:00Z')]);
});

test('a mark without a trademark is a CMC', async () => {
  for (const markType of ['Prior Use Mark', 'Modified Registered Mark']) {
    assert.equal((await judge(makeMark(authority, { markType }))).kind, 'cmc');
  }
});

test('the selector’s own name, the domain and a domain above it count as the domain', async () => {
  for (const name of ['default._bimi.acme.example', 'acme.example', 'example', 'ACME.example']) {
    assert.deepEqual(await codesOf(makeMark(authority, { domains: ['other.example', name] })), [], name);
  }
  for (const name of ['other._bimi.acme.example', 'xacme.example', 'mail.acme.example', 'acme.example.com']) {
    assert.deepEqual(await codesOf(makeMark(authority, { domains: [name] })), ['certificate_domain'], name);
  }
});

const NOT_YET = { from: new Date('2026-07-01T00:00:00Z') };
const EXPIRED = { to: new Date('2026-05-01T00:00:00Z') };
const OTHER_LOGO = Buffer.from(GOOD_LOGO.toString().replace('#036', '#037'));
const faulty: Readonly<Record<string, { pem: string; codes: string[] }>> = {
  'it expired': { pem: makeMark(authority, EXPIRED), codes: ['certificate_expired'] },
  'it is not valid yet': { pem: makeMark(authority, NOT_YET), codes: ['certificate_early'] },
  'it is that of a web server': {
    pem: makeMark(authority, { usage: '1.3.6.1.5.5.7.3.1', logo: undefined }),
    codes: ['certificate_purpose', 'certificate_no_logo'],
  },
  'it contains another logo': { pem: makeMark(authority, { logo: OTHER_LOGO }), codes: ['certificate_other_logo'] },
  'it contains another logo that is a bad one': {
    pem: makeMark(authority, { logo: Buffer.from('<svg/>') }),
    codes: ['certificate_other_logo', 'svg_root', 'svg_title'],
  },
  'its logo does not have the hash that it names': {
    pem: makeMark(authority, { hashed: OTHER_LOGO }),
    codes: ['certificate_logo_hash'],
  },
  'its logo is a bomb of 64 MB': {
    pem: makeMark(authority, { logo: Buffer.alloc(64 * 1024 * 1024) }),
    codes: ['certificate_no_logo'],
  },
  'its authority is nobody’s': { pem: makeMark(makeAuthority()), codes: ['certificate_chain'] },
  'it signed itself': {
    pem: selfSigned().pem,
    codes: ['certificate_untrusted', 'certificate_purpose', 'certificate_no_logo'],
  },
  'the file has no intermediate certificate': {
    pem: makeMark(authority).split(/(?<=END CERTIFICATE-----\n)/)[0] ?? '',
    codes: ['certificate_untrusted'],
  },
  'the file is HTML': { pem: '<!doctype html><title>Not found</title>', codes: ['certificate_unreadable'] },
  'the file is empty': { pem: '', codes: ['certificate_unreadable'] },
  'the file is cut off': { pem: makeMark(authority).slice(0, 400), codes: ['certificate_unreadable'] },
  'the file is random in PEM form': {
    pem: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    codes: ['certificate_unreadable'],
  },
  'the file is too large': { pem: 'x'.repeat(MAX_CERTIFICATE_BYTES + 1), codes: ['certificate_too_large'] },
  'the file contains the private key': {
    pem: `${makeMark(authority)}${authority.root.key.export({ type: 'pkcs8', format: 'pem' })}`,
    codes: ['certificate_private_key'],
  },
};

function selfSigned(): Made {
  return makeCertificate({ name: 'Acme Inc', domains: ['acme.example'] });
}

for (const [what, { pem, codes }] of Object.entries(faulty)) {
  test(`a fault says that ${what}`, async () => {
    // The authority of strangers has the names of ours: only the signatures tell them apart.
    assert.deepEqual(await codesOf(pem), what.includes('nobody') ? ['certificate_untrusted'] : codes);
  });
}

test('somebody who takes the name of an authority and has not its key is not believed', async () => {
  const { key } = selfSigned();
  const forged = makeMark(authority, { issuer: { name: authority.intermediate.name, key } });
  assert.deepEqual(await codesOf(forged), ['certificate_chain']);
  // `checkIssued` of Node compares names only.
  const [leaf, issuer] = forged.split(/(?<=END CERTIFICATE-----\n)/).map((pem) => pem && new X509Certificate(pem));
  assert.ok(leaf && issuer && leaf.checkIssued(issuer));
});

test('somebody who has a mark certificate cannot issue others with it', async () => {
  const mark = makeCertificate({ name: 'Acme Inc', issuer: authority.intermediate, domains: ['acme.example'] });
  const issued = makeMark({ ...authority, intermediate: mark });
  assert.deepEqual(await codesOf(`${issued}${authority.intermediate.pem}`), ['certificate_chain']);
});

test('all faults are named at once', async () => {
  const pem = makeMark(authority, { ...EXPIRED, domains: ['other.example'], usage: '1.1', logo: OTHER_LOGO });
  assert.deepEqual(await codesOf(pem), [
    'certificate_expired',
    'certificate_purpose',
    'certificate_domain',
    'certificate_other_logo',
  ]);
});

test('each fault has a place, a sentence and a remedy', async () => {
  for (const { pem } of Object.values(faulty)) {
    for (const fault of (await judge(pem)).faults) {
      assert.ok(
        fault.place !== '' && /^[A-Z<].*\.$|\.$/.test(fault.message) && fault.remedy.endsWith('.'),
        JSON.stringify(fault),
      );
    }
  }
});

test('certificates that real authorities issued are good at their time', async () => {
  const real = async (file: string, domain: string, day: string) => {
    const path = new URL(`../../../node_modules/@postalsys/vmc/test/fixtures/${file}`, import.meta.url);
    const now = new Date(day);
    const { kind, issuer, faults } = await judgeCertificate({
      pem: readFileSync(path),
      where: file,
      domain,
      logo: undefined,
      now,
    });
    return [kind, issuer, faults.map(({ message }) => message)];
  };
  assert.deepEqual(await real('cnn.pem', 'cnn.com', '2022-06-01'), ['vmc', 'DigiCert, Inc.', []]);
  assert.deepEqual(await real('paypal_vmc.pem', 'mail.paypal.com', '2025-01-15'), ['vmc', 'DigiCert, Inc.', []]);
  assert.deepEqual(await real('globalsign-vmc.pem', 'globalsign.com', '2025-06-01'), ['vmc', 'GlobalSign nv-sa', []]);
  assert.deepEqual(await real('xometry_cmc.pem', 'xometry.com', '2025-01-15'), ['cmc', 'DigiCert, Inc.', []]);
});

test('somebody has to be told 60, 30 and 7 days before the end', () => {
  const end = new Date('2026-12-31T00:00:00Z');
  const steps = ['2026-10-31', '2026-11-01', '2026-12-01', '2026-12-24', '2027-01-05'];
  assert.deepEqual(
    steps.map((day) => expiryStep(end, new Date(day))),
    [0, 1, 2, 3, 3],
  );
});
