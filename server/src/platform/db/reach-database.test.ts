import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { freePort } from '../../../test/harness/posthorn-process.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { reachDatabase } from './reach-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const failureOf = async (url: string): Promise<string> =>
  reachDatabase(url, 'DATABASE_URL').then(
    () => assert.fail('it was reached'),
    (error: Error) => error.message,
  );

test('a database that answers is reached', () => reachDatabase(t.url, 'DATABASE_URL'));

test('a server that is not there is told with its address and the setting', async () => {
  const port = await freePort();
  assert.equal(
    await failureOf(`postgresql://ada:secret@127.0.0.1:${port}/posthorn`),
    `No PostgreSQL listens at 127.0.0.1:${port}. Start it, or correct host and port in DATABASE_URL.`,
  );
});

test('a host without an address is told with its name and the setting', async () => {
  assert.match(
    await failureOf('postgresql://ada:secret@no-such-host.invalid/posthorn'),
    /^The host no-such-host\.invalid of DATABASE_URL has no address\./,
  );
});

test('a wrong password is told without the password', async () => {
  const message = await failureOf(t.url.replace(/:[^:@/]+@/, ':wrong@'));
  assert.match(message, /refused the password of the user \w+\. Correct user and password in DATABASE_URL/);
  assert.doesNotMatch(message, /wrong/);
});

test('a missing database is told with the command that makes it', async () => {
  assert.match(
    await failureOf(t.url.replace(/\/\w+\?/, '/nowhere?')),
    /has no database nowhere\. Create it \(createdb nowhere\)/,
  );
});

test('a server that speaks something else is told with what it said', async (t) => {
  const other = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  undoAfter(t, () => other.close());
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  assert.match(
    await failureOf(`postgresql://ada:secret@127.0.0.1:${port}/posthorn`),
    /^PostgreSQL at 127\.0\.0\.1:\d+ could not be used: .+\. Check DATABASE_URL\.$/,
  );
});
