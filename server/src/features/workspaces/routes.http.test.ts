import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp, OWNER } from '../../../test/harness/accounts-app.ts';

let t: AccountsApp;
let owner: Body;
const deleted: string[] = [];
const NOBODY = '01999999-0000-7000-8000-000000000009';

before(async () => {
  t = await createAccountsApp({ beforeWorkspaceDeleted: [async (_tx, id) => void deleted.push(id)] });
  owner = await t.signIn();
});
after(() => t.close());

let made = 0;
/** A workspace of the owner's, and their token for it. */
async function aWorkspace(): Promise<{ id: string; token: string }> {
  made += 1;
  const reply = await t.call('POST', '/workspaces', { token: owner.token, body: { name: `Team ${made}` } });
  assert.equal(reply.status, 201);
  const body = { email: OWNER.email, password: OWNER.password, workspace_id: reply.body.id };
  return { id: reply.body.id, token: (await t.call('POST', '/auth/login', { body })).body.token };
}

const guest = (workspaceId: string, role: string, token = owner.token): Promise<Body> =>
  t.join(workspaceId, `guest${(made += 1)}@example.com`, role, token);

test('201 on a new workspace: the caller owns it; the zone is a real one', async () => {
  const body = { name: 'Ölmühle', timezone: 'Europe/Berlin' };
  const reply = await t.call('POST', '/workspaces', { token: owner.token, body });
  assert.equal(reply.status, 201);
  const { id, created_at: _at, ...rest } = reply.body;
  assert.deepEqual(rest, {
    name: 'Ölmühle',
    slug: 'olmuhle',
    timezone: 'Europe/Berlin',
    plan: 'free',
    edition: 'cloud',
    status: 'active',
    is_home: false,
    track_opens: false,
    track_clicks: false,
    postal_address: null,
    emails_per_month: null,
    role: 'owner',
  });
  const again = await t.call('POST', '/workspaces', { token: owner.token, body });
  assert.match(again.body.slug, /^olmuhle-[0-9a-f]{6}$/);
  assert.deepEqual((await t.call('GET', `/workspaces/${id}`, { token: owner.token })).body, reply.body);
});

test('200 on a change of what a workspace tracks: each by itself, kept, and in the security log', async () => {
  const { id, token } = await aWorkspace();
  const path = `/workspaces/${id}`;
  const first = await t.call('PATCH', path, { token, body: { track_opens: true } });
  assert.equal(first.status, 200);
  assert.deepEqual([first.body.track_opens, first.body.track_clicks], [true, false]);
  const second = await t.call('PATCH', path, { token, body: { track_opens: false, track_clicks: true } });
  assert.deepEqual([second.body.track_opens, second.body.track_clicks], [false, true]);
  const third = await t.call('PATCH', path, { token, body: { name: 'Renamed' } });
  assert.deepEqual([third.body.track_opens, third.body.track_clicks], [false, true]);
  const address = { postal_address: '1 Main Street' };
  assert.equal((await t.call('PATCH', path, { token, body: address })).body.postal_address, '1 Main Street');
  assert.equal((await t.call('PATCH', path, { token, body: {} })).body.postal_address, '1 Main Street');
  assert.equal((await t.call('PATCH', path, { token, body: { postal_address: ' ' } })).body.postal_address, null);
  assert.deepEqual((await t.call('GET', path, { token })).body, third.body);
  for (const wrong of ['yes', 1, null]) {
    const reply = await t.call('PATCH', path, { token, body: { track_clicks: wrong } });
    assert.deepEqual([reply.status, reply.body.param], [400, 'track_clicks']);
  }
  const viewer = await guest(id, 'viewer', token);
  assert.equal((await t.call('PATCH', path, { token: viewer.token, body: { track_clicks: false } })).status, 403);
  assert.equal((await t.call('GET', path, { token })).body.track_clicks, true);
});

test('a zone is kept under its name of today, by whatever name it came', async () => {
  const { id, token } = await aWorkspace();
  for (const [given, kept] of [
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['europe/kiev', 'Europe/Kyiv'],
  ] as const) {
    const made = await t.call('POST', '/workspaces', { token: owner.token, body: { name: 'Zone', timezone: given } });
    const changed = await t.call('PATCH', `/workspaces/${id}`, { token, body: { timezone: given } });
    assert.deepEqual([made.body.timezone, changed.body.timezone], [kept, kept]);
  }
});

test('400 for a time zone that is none and a name without a letter', async () => {
  for (const [body, param] of [
    [{ name: 'x', timezone: 'Mars/Base' }, 'timezone'],
    [{ name: 'x', timezone: '+02:00' }, 'timezone'],
    [{ name: 'x', timezone: 'EST' }, 'timezone'],
    [{ name: '   ' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{}, 'name'],
  ] as const) {
    const reply = await t.call('POST', '/workspaces', { token: owner.token, body });
    assert.deepEqual([reply.status, reply.body.param], [400, param]);
  }
});

test('403 for a guest who wants a workspace of their own where sign-up is closed', async () => {
  const { id } = await aWorkspace();
  const visitor = await guest(id, 'viewer');
  const reply = await t.call('POST', '/workspaces', { token: visitor.token, body: { name: 'Mine' } });
  assert.equal(reply.status, 403);
  assert.equal((await t.call('GET', '/workspaces', { token: visitor.token })).body.total, 1);
});

test('200 replayed for the same Idempotency-Key: one workspace', async () => {
  const before = (await t.call('GET', '/workspaces', { token: owner.token })).body.total;
  const once = () =>
    t.call('POST', '/workspaces', {
      token: owner.token,
      body: { name: 'Once' },
      headers: { 'idempotency-key': 'workspace-once' },
    });
  const [first, second] = [await once(), await once()];
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal((await t.call('GET', '/workspaces', { token: owner.token })).body.total, before + 1);
});

test('200 on the list, by page and by cursor', async () => {
  await aWorkspace();
  await aWorkspace();
  const first = await t.call('GET', '/workspaces?limit=1', { token: owner.token });
  assert.equal(first.body.data.length, 1);
  assert.equal(first.body.has_more, true);
  assert.match(String(first.headers['link']), /rel="next"/);
  const next = await t.call('GET', `/workspaces?limit=1&cursor=${first.body.next_cursor}`, { token: owner.token });
  assert.notEqual(next.body.data[0].id, first.body.data[0].id);
});

test("404 for somebody else's workspace on every route, with the bytes of one that never was", async () => {
  const { id, token } = await aWorkspace();
  const elsewhere = await aWorkspace();
  const stranger = await guest(elsewhere.id, 'admin');
  const [member] = (await t.call('GET', `/workspaces/${id}/members`, { token })).body.data;
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Taken over' }],
    ['DELETE', '', undefined],
    ['GET', '/members', undefined],
    ['GET', `/members/${member.user_id}`, undefined],
    ['PATCH', `/members/${member.user_id}`, { role: 'viewer' }],
    ['DELETE', `/members/${member.user_id}`, undefined],
    ['GET', '/invites', undefined],
    ['POST', '/invites', { email: 'eve@example.com', role: 'owner' }],
    ['DELETE', `/invites/${NOBODY}`, undefined],
  ] as const) {
    const ask = async (workspace: string) => {
      const reply = await t.call(method, `/workspaces/${workspace}${path}`, { token: stranger.token, body });
      return [reply.status, reply.body.message.replaceAll(workspace, '…')];
    };
    assert.deepEqual(await ask(id), await ask(NOBODY), `${method} ${path}`);
    assert.equal((await ask(id))[0], 404, `${method} ${path}`);
  }
  assert.match((await t.call('GET', `/workspaces/${id}`, { token })).body.name, /^Team/);
  assert.equal((await t.call('GET', `/workspaces/${id}/members`, { token })).body.total, 1);
});

test('403 for X-Workspace-ID of a workspace that is not theirs, exists or not; 200 with one that is', async () => {
  const [mine, other] = [await aWorkspace(), await aWorkspace()];
  const member = await guest(mine.id, 'admin');
  const messages = new Set<string>();
  for (const id of [other.id, NOBODY, 'nonsense']) {
    const reply = await t.call('GET', '/probe', { token: member.token, headers: { 'x-workspace-id': id } });
    assert.equal(reply.status, 403);
    messages.add(reply.body.message);
  }
  assert.equal(messages.size, 1);
  const switched = await t.call('GET', '/probe', { token: owner.token, headers: { 'x-workspace-id': mine.id } });
  assert.equal(switched.body.workspace_id, mine.id);
});

test('401 at the next request of a member who was removed, 403 at that of one who was demoted', async () => {
  const { id, token } = await aWorkspace();
  const [removed, demoted] = [await guest(id, 'developer'), await guest(id, 'developer')];
  const send = (who: Body) => t.call('POST', '/probe/send', { token: who.token });
  assert.deepEqual([(await send(removed)).status, (await send(demoted)).status], [200, 200]);
  await t.call('DELETE', `/workspaces/${id}/members/${removed.user.id}`, { token });
  await t.call('PATCH', `/workspaces/${id}/members/${demoted.user.id}`, { token, body: { role: 'viewer' } });
  assert.equal((await send(removed)).status, 401);
  const refused = await send(demoted);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /"viewer".*"emails:send"/);
});

test('200 on what each role may do: sending is for owner, admin, developer and publisher', async () => {
  const { id, token } = await aWorkspace();
  const statuses: Record<string, number[]> = {};
  for (const role of ['admin', 'developer', 'publisher', 'editor', 'viewer']) {
    const member = await guest(id, role, token);
    statuses[role] = [
      (await t.call('GET', '/probe', { token: member.token })).status,
      (await t.call('POST', '/probe/send', { token: member.token })).status,
      (await t.call('GET', '/api-keys', { token: member.token })).status,
      (await t.call('POST', '/api-keys', { token: member.token, body: { name: 'k', scopes: ['emails:read'] } })).status,
      (await t.call('GET', '/security-log', { token: member.token })).status,
      (await t.call('PATCH', `/workspaces/${id}`, { token: member.token, body: { name: 'Renamed' } })).status,
    ];
  }
  assert.deepEqual(statuses, {
    admin: [200, 200, 200, 201, 200, 200],
    developer: [200, 200, 200, 201, 403, 403],
    publisher: [200, 200, 200, 403, 403, 403],
    editor: [200, 403, 200, 403, 403, 403],
    viewer: [200, 403, 200, 403, 403, 403],
  });
});

test('403 for a role that may not, before a word about the request; whom the workspace does not know gets 400, then 404', async () => {
  const { id, token } = await aWorkspace();
  const elsewhere = await aWorkspace();
  const viewer = await guest(id, 'viewer', token);
  const stranger = await guest(elsewhere.id, 'viewer', elsewhere.token);
  const at = `/workspaces/${id}`;
  const bad = { role: 7, email: 5, name: [], zebra: 1 };
  for (const [method, path, body, seenByStrangers] of [
    ['PATCH', at, undefined, 400],
    ['PATCH', at, bad, 400],
    ['DELETE', `${at}?zebra=1`, undefined, 400],
    ['POST', `${at}/invites`, undefined, 400],
    ['POST', `${at}/invites`, bad, 400],
    ['GET', `${at}/invites?limit=0`, undefined, 400],
    ['POST', `${at}/invites/${NOBODY}/resend?zebra=1`, undefined, 400],
    ['DELETE', `${at}/invites/${NOBODY}?zebra=1`, undefined, 400],
    ['PATCH', `${at}/members/${NOBODY}`, undefined, 400],
    ['PATCH', `${at}/members/${NOBODY}`, bad, 400],
    ['PATCH', `${at}/members/nonsense`, undefined, 404],
    ['DELETE', `${at}/members/${NOBODY}?zebra=1`, undefined, 400],
    ['GET', '/security-log?limit=0', undefined, 403],
  ] as const) {
    const reply = await t.call(method, path, { token: viewer.token, body });
    assert.equal(reply.status, 403, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    const foreign = await t.call(method, path, { token: stranger.token, body });
    assert.equal(foreign.status, seenByStrangers, `${method} ${path}: ${JSON.stringify(foreign.body)}`);
  }
  const broken = await t.app.inject({
    method: 'POST',
    url: `${at}/invites`,
    headers: { authorization: `Bearer ${viewer.token}`, 'content-type': 'application/json' },
    payload: '{"email":',
  });
  assert.equal(broken.statusCode, 403);
  assert.equal((await t.call('GET', `${at}/members`, { token })).body.total, 2);
  const leaving = await t.call('DELETE', `${at}/members/${viewer.user.id}`, { token: viewer.token });
  assert.equal(leaving.status, 200);
});

test('200 on members: read, list and change', async () => {
  const { id, token } = await aWorkspace();
  const member = await guest(id, 'editor');
  const changed = await t.call('PATCH', `/workspaces/${id}/members/${member.user.id}`, {
    token,
    body: { role: 'publisher' },
  });
  assert.equal(changed.body.role, 'publisher');
  const read = await t.call('GET', `/workspaces/${id}/members/${member.user.id}`, { token: member.token });
  assert.equal(read.body.email, member.user.email);
  assert.equal(read.body.role, 'publisher');
  assert.equal((await t.call('GET', `/workspaces/${id}/members`, { token: member.token })).body.total, 2);
  assert.equal((await t.call('GET', `/workspaces/${id}/members/${NOBODY}`, { token })).status, 404);
});

test('403 when an admin makes, demotes, removes or invites an owner', async () => {
  const { id, token } = await aWorkspace();
  const [admin, member] = [await guest(id, 'admin'), await guest(id, 'viewer')];
  const ownerId = owner.user.id;
  const attempts = [
    await t.call('PATCH', `/workspaces/${id}/members/${member.user.id}`, {
      token: admin.token,
      body: { role: 'owner' },
    }),
    await t.call('PATCH', `/workspaces/${id}/members/${ownerId}`, { token: admin.token, body: { role: 'viewer' } }),
    await t.call('DELETE', `/workspaces/${id}/members/${ownerId}`, { token: admin.token }),
    await t.call('POST', `/workspaces/${id}/invites`, {
      token: admin.token,
      body: { email: 'o@example.com', role: 'owner' },
    }),
    await t.call('DELETE', `/workspaces/${id}`, { token: admin.token }),
  ];
  assert.deepEqual(
    attempts.map((reply) => reply.status),
    [403, 403, 403, 403, 403],
  );
  assert.equal((await t.call('GET', `/workspaces/${id}`, { token })).body.role, 'owner');
});

test('a member who is removed, or may not invite any more, has no open invitation left', async () => {
  const { id, token } = await aWorkspace();
  const members = `/workspaces/${id}/members`;
  for (const [role, change] of [
    ['admin', (path: string) => t.call('DELETE', path, { token })],
    ['admin', (path: string) => t.call('PATCH', path, { token, body: { role: 'viewer' } })],
    ['owner', (path: string) => t.call('PATCH', path, { token, body: { role: 'admin' } })],
  ] as const) {
    const member = await guest(id, role);
    const emails: string[] = [];
    for (const invited of ['viewer', role]) {
      const email = `back${(made += 1)}@example.com`;
      emails.push(email);
      const body = { email, role: invited };
      assert.equal((await t.call('POST', `/workspaces/${id}/invites`, { token: member.token, body })).status, 201);
    }
    assert.equal((await change(`${members}/${member.user.id}`)).status, 200);
    const { body } = await t.call('GET', `/workspaces/${id}/invites`, { token });
    const open = body.data.map((invite: Body) => invite.email).filter((email: string) => emails.includes(email));
    // An owner who became an admin may still invite a viewer.
    assert.deepEqual(open, role === 'owner' ? emails.slice(0, 1) : []);
  }
});

test('409 when the last owner leaves, is removed or is demoted', async () => {
  const { id, token } = await aWorkspace();
  const path = `/workspaces/${id}/members/${owner.user.id}`;
  assert.equal((await t.call('DELETE', path, { token })).status, 409);
  assert.equal((await t.call('PATCH', path, { token, body: { role: 'admin' } })).status, 409);
  assert.equal((await t.call('GET', path, { token })).body.role, 'owner');
});

test('409 for one of two owners who remove each other at the same moment: one always stays', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id, token } = await aWorkspace();
    const second = await guest(id, 'owner', token);
    const replies = await Promise.all([
      t.call('DELETE', `/workspaces/${id}/members/${second.user.id}`, { token }),
      t.call('DELETE', `/workspaces/${id}/members/${owner.user.id}`, { token: second.token }),
      t.call('PATCH', `/workspaces/${id}/members/${second.user.id}`, { token, body: { role: 'viewer' } }),
    ]);
    const { rows } = await sql<{ owners: number }>`
      select count(*) as owners from members where workspace_id = ${id} and role = 'owner'`.execute(t.database.db);
    assert.ok((rows[0]?.owners ?? 0) >= 1, JSON.stringify(replies.map((reply) => reply.status)));
  }
});

test('200 when a member leaves by themselves', async () => {
  const { id } = await aWorkspace();
  const member = await guest(id, 'viewer');
  assert.equal(
    (await t.call('DELETE', `/workspaces/${id}/members/${member.user.id}`, { token: member.token })).status,
    200,
  );
  assert.equal((await t.call('GET', '/probe', { token: member.token })).status, 401);
});

test('201 on an invitation: the link is in the mail only, and works once', async () => {
  const { id, token } = await aWorkspace();
  const invited = await t.call('POST', `/workspaces/${id}/invites`, {
    token,
    body: { email: 'New@Example.com', role: 'editor' },
  });
  assert.equal(invited.status, 201);
  assert.equal(invited.body.email, 'new@example.com');
  const link = t.mailedToken();
  assert.doesNotMatch(JSON.stringify(invited.body), new RegExp(link));
  assert.match(t.mails.at(-1)?.text ?? '', /^.*https:\/\/mail\.example\.com\/accept-invite\?token=/ms);
  assert.equal((await t.call('GET', `/workspaces/${id}/invites`, { token })).body.total, 1);
  const body = { password: 'a password of a guest', name: 'New' };
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => t.call('POST', `/invites/${link}/accept`, { body })),
  );
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((a, b) => a - b),
    [200, 404, 404, 404],
  );
  const accepted = replies.find((reply) => reply.status === 200)?.body;
  assert.equal(accepted.workspace.role, 'editor');
  assert.equal((await t.call('GET', '/auth/me', { token: accepted.token })).body.email_verified, true);
  assert.equal((await t.call('GET', `/workspaces/${id}/invites`, { token })).body.total, 0);
});

test('401 for an address that has an account and is not signed in, 403 for another account, 200 for its own', async () => {
  const [first, second] = [await aWorkspace(), await aWorkspace()];
  const [ada, eve] = [await guest(first.id, 'viewer'), await guest(first.id, 'viewer')];
  await t.call('POST', `/workspaces/${second.id}/invites`, {
    token: second.token,
    body: { email: ada.user.email, role: 'developer' },
  });
  const link = t.mailedToken();
  const accept = (token?: string) =>
    t.call('POST', `/invites/${link}/accept`, {
      ...(token === undefined ? {} : { token }),
      body: { password: 'somebody elses' },
    });
  assert.equal((await accept()).status, 401);
  assert.equal((await accept(eve.token)).status, 403);
  assert.equal((await accept('a.b.c')).status, 401);
  const { rows } = await sql`select 1 from members where workspace_id = ${second.id}`.execute(t.database.db);
  assert.equal(rows.length, 1);
  const accepted = await t.call('POST', `/invites/${link}/accept`, { token: ada.token });
  assert.equal(accepted.status, 200);
  assert.deepEqual(Object.keys(accepted.body), ['success', 'workspace']);
  assert.equal(accepted.body.workspace.id, second.id);
  await t.signIn(ada.user.email, 'a password of a guest');
});

test('404 for an invitation that was revoked, has expired, or never was; 400 without a password for a new account', async () => {
  const { id, token } = await aWorkspace();
  const invite = async (email: string) => {
    const reply = await t.call('POST', `/workspaces/${id}/invites`, { token, body: { email, role: 'viewer' } });
    return { id: reply.body.id, link: t.mailedToken() };
  };
  const accept = (link: string, body: object = { password: 'a password of a guest' }) =>
    t.call('POST', `/invites/${link}/accept`, { body });
  const revoked = await invite('revoked@example.com');
  assert.equal((await t.call('DELETE', `/workspaces/${id}/invites/${revoked.id}`, { token })).status, 200);
  assert.equal((await t.call('DELETE', `/workspaces/${id}/invites/${revoked.id}`, { token })).status, 404);
  assert.equal((await accept(revoked.link)).status, 404);
  assert.equal((await accept('A'.repeat(43))).status, 404);
  assert.equal((await accept('nonsense')).status, 404);
  const open = await invite('open@example.com');
  const missing = await accept(open.link, {});
  assert.deepEqual([missing.status, missing.body.param], [400, 'password']);
  t.clock.advance(7 * 86_400 + 1);
  assert.equal((await accept(open.link)).status, 404);
  owner = await t.signIn();
  const again = { token: owner.token, body: { email: 'open@example.com', role: 'viewer' } };
  assert.equal((await t.call('POST', `/workspaces/${id}/invites`, again)).status, 201);
});

test('200 on sending an invitation again: another link for seven more days, also after the first has expired', async () => {
  const { id, token } = await aWorkspace();
  const body = { email: `again${(made += 1)}@example.com`, role: 'editor' };
  const invited = await t.call('POST', `/workspaces/${id}/invites`, { token, body });
  const first = t.mailedToken();
  t.clock.advance(8 * 86_400);
  owner = await t.signIn();
  const mine = (await t.call('POST', '/auth/login', { body: { ...OWNER, workspace_id: id } })).body.token;
  const list = async (state: string) =>
    (await t.call('GET', `/workspaces/${id}/invites?state=${state}`, { token: mine })).body.total;
  assert.deepEqual([await list('open'), await list('expired'), await list('all')], [0, 1, 1]);
  const path = `/workspaces/${id}/invites/${invited.body.id}/resend`;
  const sent = await t.call('POST', path, { token: mine });
  assert.equal(sent.status, 200);
  assert.equal(sent.body.id, invited.body.id);
  assert.equal(sent.body.invited_by_email, OWNER.email);
  assert.equal(Date.parse(sent.body.expires_at), t.clock.now().getTime() + 7 * 86_400_000);
  assert.deepEqual([await list('open'), await list('expired'), await list('all')], [1, 0, 1]);
  const second = t.mailedToken();
  const accept = (link: string) =>
    t.call('POST', `/invites/${link}/accept`, { body: { password: 'a password of a guest' } });
  assert.equal((await accept(first)).status, 404, 'the link before stops');
  assert.equal((await accept(second)).status, 200);
  assert.equal((await t.call('POST', path, { token: mine })).status, 404, 'it was accepted');
  assert.equal(await list('all'), 0);
});

test('403 when an admin sends the invitation of an owner again, or an editor any, and no mail leaves', async () => {
  const { id, token } = await aWorkspace();
  const [admin, editor] = [await guest(id, 'admin', token), await guest(id, 'editor', token)];
  const invite = async (role: string) =>
    (await t.call('POST', `/workspaces/${id}/invites`, { token, body: { email: `${role}@example.org`, role } })).body
      .id;
  const [ofOwner, ofViewer] = [await invite('owner'), await invite('viewer')];
  const before = t.mails.length;
  const resend = (who: Body, inviteId: string) =>
    t.call('POST', `/workspaces/${id}/invites/${inviteId}/resend`, { token: who.token });
  assert.equal((await resend(admin, ofOwner)).status, 403);
  assert.equal((await resend(editor, ofViewer)).status, 403);
  assert.equal(t.mails.length, before);
  assert.equal((await resend(admin, ofViewer)).status, 200);
});

test('429 after five mails to one address in an hour, however they were asked for, and the invitation stays', async () => {
  const { id, token } = await aWorkspace();
  const body = { email: `filled${(made += 1)}@example.com`, role: 'viewer' };
  const invite = () => t.call('POST', `/workspaces/${id}/invites`, { token, body });
  const first = (await invite()).body.id;
  await t.call('DELETE', `/workspaces/${id}/invites/${first}`, { token });
  const path = `/workspaces/${id}/invites/${(await invite()).body.id}`;
  for (let n = 0; n < 3; n += 1) assert.equal((await t.call('POST', `${path}/resend`, { token })).status, 200);
  const link = t.mailedToken();
  const before = t.mails.length;
  assert.equal((await t.call('POST', `${path}/resend`, { token })).status, 429);
  assert.equal(t.mails.length, before);
  const accepted = await t.call('POST', `/invites/${link}/accept`, { body: { password: 'a password of a guest' } });
  assert.equal(accepted.status, 200, 'the last link that was mailed works');
});

test('200 on members by role and by a part of their address or name, in pages', async () => {
  const { id, token } = await aWorkspace();
  const [ada, bob] = [await guest(id, 'editor', token), await guest(id, 'viewer', token)];
  await t.call('PATCH', '/auth/me', { token: bob.token, body: { name: 'Bobby 100%' } });
  const found = async (query: string): Promise<string[]> =>
    (await t.call('GET', `/workspaces/${id}/members?${query}`, { token })).body.data.map((one: Body) => one.email);
  assert.deepEqual(await found('role=editor'), [ada.user.email]);
  assert.deepEqual(await found('role=owner'), [OWNER.email]);
  assert.deepEqual(await found('search=bobby'), [bob.user.email]);
  assert.deepEqual(await found('search=0%25'), [bob.user.email]);
  assert.deepEqual(await found('search=%25_'), [], 'nothing in it is a pattern');
  assert.deepEqual(await found(`search=${encodeURIComponent(ada.user.email.toUpperCase())}`), [ada.user.email]);
  assert.deepEqual(await found('role=admin'), []);
  const first = await t.call('GET', `/workspaces/${id}/members?limit=2`, { token });
  assert.deepEqual([first.body.data.length, first.body.total, first.body.has_more], [2, 3, true]);
  const rest = await t.call('GET', `/workspaces/${id}/members?limit=2&cursor=${first.body.next_cursor}`, { token });
  assert.deepEqual([rest.body.data.length, rest.body.has_more], [1, false]);
  assert.equal((await t.call('GET', `/workspaces/${id}/members?role=king`, { token })).status, 400);
});

test('200 on the usage: nothing is counted without a quota, and what is left with one', async () => {
  const { id, token } = await aWorkspace();
  const usage = async () => (await t.call('GET', `/workspaces/${id}/usage`, { token })).body;
  const { resets_at: resetsAt, ...none } = await usage();
  assert.deepEqual(none, { emails_per_month: null, used: null, remaining: null });
  await sql`update workspaces set emails_per_month = 100 where id = ${id}`.execute(t.database.db);
  assert.deepEqual(await usage(), { emails_per_month: 100, used: 0, remaining: 100, resets_at: resetsAt });
  await sql`insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
    values (${id}, ${id}, 'monthly', date_trunc('month', ${t.clock.now()}::timestamptz, 'UTC'), 130)`.execute(
    t.database.db,
  );
  assert.deepEqual(await usage(), { emails_per_month: 100, used: 130, remaining: 0, resets_at: resetsAt });
  const month = t.clock.now();
  assert.equal(Date.parse(resetsAt), Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
});

test('409 for somebody who is a member or has an open invitation', async () => {
  const { id, token } = await aWorkspace();
  const body = { email: 'twice@example.com', role: 'viewer' };
  const replies = await Promise.all([1, 2, 3].map(() => t.call('POST', `/workspaces/${id}/invites`, { token, body })));
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((a, b) => a - b),
    [201, 409, 409],
  );
  const self = await t.call('POST', `/workspaces/${id}/invites`, {
    token,
    body: { email: OWNER.email, role: 'viewer' },
  });
  assert.deepEqual([self.status, self.body.param], [409, 'email']);
});

test('200 on delete: everything in it goes, after the features above were told; 409 for the home workspace', async () => {
  const { id, token } = await aWorkspace();
  await t.call('POST', '/api-keys', { token, body: { name: 'k', scopes: ['*'] } });
  assert.equal((await t.call('DELETE', `/workspaces/${id}`, { token: owner.token })).status, 200);
  assert.deepEqual(deleted, [id]);
  assert.equal((await t.call('GET', `/workspaces/${id}`, { token: owner.token })).status, 404);
  assert.equal((await t.call('GET', '/probe', { token })).status, 401);
  const home = await t.call('DELETE', `/workspaces/${t.home.workspaceId}`, { token: owner.token });
  assert.equal(home.status, 409);
  assert.deepEqual(deleted, [id]);
});

test('403 on everything of a blocked workspace, for tokens and keys, while its people can still sign in and read it', async () => {
  const { id, token } = await aWorkspace();
  const { key } = (await t.call('POST', '/api-keys', { token, body: { name: 'k', scopes: ['*'] } })).body;
  await sql`update workspaces set status = 'blocked' where id = ${id}`.execute(t.database.db);
  assert.equal((await t.call('GET', '/probe', { token })).status, 403);
  assert.equal((await t.call('GET', '/probe', { key })).status, 403);
  assert.equal((await t.call('GET', `/workspaces/${id}`, { token })).body.status, 'blocked');
});

test('200 on the security log: who did what, newest first, for owners and admins, of this workspace only', async () => {
  const { id, token } = await aWorkspace();
  const member = await guest(id, 'viewer', token);
  await t.call('PATCH', `/workspaces/${id}/members/${member.user.id}`, { token, body: { role: 'editor' } });
  const log = await t.call('GET', '/security-log', { token });
  const [newest] = log.body.data;
  assert.equal(newest.action, 'member.role_changed');
  assert.deepEqual(newest.details, { changes: { role: { before: 'viewer', after: 'editor' } } });
  assert.deepEqual(newest.target, { type: 'user', id: member.user.id });
  assert.equal(newest.actor.email, OWNER.email);
  const actions = log.body.data.map((event: Body) => event.action);
  for (const action of ['invite.accepted', 'invite.created', 'workspace.created'])
    assert.ok(actions.includes(action), action);
  assert.equal((await t.call('GET', '/security-log?action=invite.created', { token })).body.total, 1);
  assert.equal((await t.call('GET', '/security-log', { token: member.token })).status, 403);
  await assert.rejects(
    sql`update security_log set action = 'x' where workspace_id = ${id}`.execute(t.database.db),
    /append-only/,
  );
});

test('nothing unexpected was logged', () => {
  assert.deepEqual(t.errors, []);
});
