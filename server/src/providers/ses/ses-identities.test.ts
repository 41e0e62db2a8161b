import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { type FakeSes, startFakeSes } from '../../../test/harness/fake-ses.ts';
import { SES_ERRORS } from '../../../test/harness/ses-faults.ts';
import { createSesIdentities } from './ses-identities.ts';

let ses: FakeSes;
let identities: ReturnType<typeof createSesIdentities>;
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
before(async () => {
  ses = await startFakeSes();
  const settings = { region: 'us-east-1', configurationSet: 'posthorn', connections: 4, endpoint: ses.endpoint };
  identities = createSesIdentities(settings, { credentials });
});
beforeEach(() => {
  ses.setFaults(undefined);
  for (const name of Object.keys(ses.account.identities)) delete ses.account.identities[name];
});
after(async () => {
  identities.close();
  await ses.stop();
});

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
});
const acme = { domain: 'acme.example', region: 'eu-north-1' };
const withKey = { ...acme, selector: 'posthorn1', privateKey: pair.privateKey };

test('a domain is made with our key and selector, in its own region', async () => {
  await identities.put(withKey);
  const made = ses.account.identities['acme.example'];
  assert.partialDeepStrictEqual(made, { verified: false, region: 'eu-north-1', selector: 'posthorn1' });
  assert.ok(made?.privateKey !== undefined);
  const publicKey = createPublicKey(made.privateKey).export({ type: 'spki', format: 'der' });
  assert.ok(publicKey.equals(pair.publicKey), 'SES has the private half of our key');
  assert.equal(ses.requests.at(-1)?.region, 'eu-north-1');
  assert.deepEqual(await identities.look(acme), {
    status: 'pending',
    takesMail: false,
    dkim: 'PENDING',
    selector: 'posthorn1',
    words: 'DKIM PENDING, sending not allowed',
  });
  assert.equal(await identities.look({ ...acme, region: 'us-east-1' }), null, 'another region does not know it');
});

test('a domain that is there already gets the key, whosever it had', async () => {
  ses.account.identities['acme.example'] = { verified: true, region: 'eu-north-1' };
  assert.partialDeepStrictEqual(await identities.look(acme), { status: 'verified', selector: null });
  await identities.put(withKey);
  assert.partialDeepStrictEqual(await identities.look(acme), { status: 'verified', selector: 'posthorn1' });
  await identities.put({ ...withKey, selector: 'posthorn2' });
  assert.partialDeepStrictEqual(await identities.look(acme), { selector: 'posthorn2' });
});

test('a domain is removed, and one that is gone already is removed too', async () => {
  await identities.put(withKey);
  await identities.remove(acme);
  assert.equal(await identities.look(acme), null);
  await identities.remove(acme);
});

test('a domain that SES has given up is failed', async () => {
  ses.account.identities['acme.example'] = { verified: false, selector: 'posthorn1', gaveUp: true };
  assert.partialDeepStrictEqual(await identities.look(acme), { status: 'failed' });
});

test('an error of SES rejects with its name, and is asked for once', async () => {
  const operations = ['GetEmailIdentity', 'CreateEmailIdentity', 'DeleteEmailIdentity'];
  ses.setFaults({ rules: operations.map((operation) => ({ ...SES_ERRORS.internal, operation })) });
  const before = ses.requests.length;
  await assert.rejects(identities.look(acme));
  await assert.rejects(identities.put(withKey));
  await assert.rejects(identities.remove(acme));
  assert.equal(ses.requests.length, before + 3);
  assert.deepEqual(ses.account.identities, {});
});

test('close ends a call that has no answer', async () => {
  ses.setFaults({ rules: [{ act: 'hang', operation: 'GetEmailIdentity' }] });
  const asked = ses.nextRequest();
  const looking = assert.rejects(identities.look(acme), /closed/);
  await asked;
  identities.close();
  await looking;
});
