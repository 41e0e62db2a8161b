import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { askForFirstPage } from './first-page.ts';

const OVERVIEW = ['/v1/overview', '/v1/api-keys?limit=100', '/v1/newsletters?limit=100', '/v1/analytics/health'];
const SESSION = ['/auth/me', '/workspaces?limit=100'];
const asked: string[] = [];
let workspaces: object[] = [];
let isSignedOut = false;
const at = (pathname: string, search = '') => ({ pathname, search });
let fetched: { mock: { restore(): void } };

beforeEach(() => {
  asked.length = 0;
  isSignedOut = false;
  fetched = mock.method(globalThis, 'fetch', async (path: string) => {
    asked.push(path);
    if (isSignedOut) return new Response('', { status: 401 });
    return Response.json(path === '/auth/me' ? { workspace_id: 'w1' } : { data: workspaces });
  });
});
// Of this one alone: other files of tests are in the same process.
afterEach(() => fetched.mock.restore());

test('the Overview asks for what the role and the edition let it show', async () => {
  workspaces = [{ id: 'w1', role: 'owner', edition: 'cloud' }];
  await askForFirstPage(at('/'));
  assert.deepEqual(asked, [...SESSION, ...OVERVIEW, '/v1/domains', '/instance/workspaces?limit=1']);
  asked.length = 0;
  workspaces = [{ id: 'w1', role: 'viewer', edition: 'self-hosted' }];
  await askForFirstPage(at('/'));
  assert.deepEqual(asked, [...SESSION, ...OVERVIEW]);
});

test('a list without filters asks for its first rows; with filters, it asks when it knows them', async () => {
  workspaces = [{ id: 'w1', role: 'viewer', edition: 'cloud' }];
  await askForFirstPage(at('/emails'));
  assert.deepEqual(asked, [...SESSION, '/v1/emails?limit=50']);
  asked.length = 0;
  await askForFirstPage(at('/emails', '?status=bounced'));
  assert.deepEqual(asked, SESSION);
});

test('a record asks for itself and for its open tab by the ids of its address, and an address without ids for nothing', async () => {
  workspaces = [{ id: 'w1', role: 'viewer', edition: 'cloud' }];
  const [newsletter, issue] = ['01a2239a-205f-70ac-bace-6008f080378d', '01a2239a-433e-7019-bb6a-f43c40a86015'];
  const asksAt = async (pathname: string, search = ''): Promise<string[]> => {
    asked.length = 0;
    await askForFirstPage(at(pathname, search));
    return asked.slice(SESSION.length);
  };
  assert.deepEqual(await asksAt(`/newsletters/${newsletter}/issues/${issue}`, '?tab=recipients'), [
    `/v1/newsletters/${newsletter}`,
    `/v1/newsletters/${newsletter}/issues/${issue}`,
    `/v1/newsletters/${newsletter}/issues/${issue}/recipients?limit=50`,
  ]);
  assert.deepEqual(await asksAt('/settings'), ['/workspaces/w1', '/workspaces/w1/usage']);
  for (const [pathname, search] of [
    ['/newsletters/new', ''],
    [`/newsletters/${newsletter}`, '?tab=growth'],
    [`/webhooks/${newsletter}/deliveries/${issue}`, ''],
    [`/x/newsletters/${newsletter}`, ''],
  ] as const)
    assert.deepEqual(await asksAt(pathname, search), [], pathname);
});

test('other pages ask for the session, and so does somebody who is in no workspace', async () => {
  await askForFirstPage(at('/account'));
  assert.deepEqual(asked, SESSION);
  asked.length = 0;
  workspaces = [];
  await askForFirstPage(at('/'));
  assert.deepEqual(asked, SESSION);
});

test('a session that cannot be read is left to the page', async () => {
  isSignedOut = true;
  await askForFirstPage(at('/'));
  assert.deepEqual(asked, SESSION);
});
