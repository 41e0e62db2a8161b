/** The actions that members may take on newsletters by their role, with the token of the dashboard. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createIssuesApp, inSeconds, type IssuesApp } from './issues/test-kit.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => t.close());

async function tokenOf(role: string): Promise<string> {
  const { app } = t;
  const person = { email: `a.${role}@example.com`, password: `a password of the ${role}` };
  await app.request({ url: '/auth/register', key: null, body: person });
  await sql`insert into members (workspace_id, user_id, role)
    select ${app.workspaceId}, id, ${role} from users where email = ${person.email}`.execute(app.db);
  const body = { ...person, workspace_id: app.workspaceId };
  const answer = await app.request({ url: '/auth/login', key: null, body });
  // The response check has held it against its schema.
  return (answer.body as { token: string }).token;
}

/** The statuses of a role for reading, writing, sending: 403 or what the route answers. */
const MAY = {
  viewer: { read: true, write: false, send: false },
  developer: { read: true, write: false, send: false },
  editor: { read: true, write: true, send: false },
  publisher: { read: true, write: true, send: true },
} as const;

for (const [role, may] of Object.entries(MAY)) {
  test(`403 to a member with the role ${role} for whatever it may not do, and nothing is done`, async () => {
    const key = await tokenOf(role);
    const id = await t.list(1);
    const other = await t.list(1); // with nothing that would be sent
    const draft = await t.draft(id);
    const scheduled = await t.draft(id, { scheduled_for: inSeconds(3_600) });
    const before = await t.stored(draft.id);
    const rows: [what: keyof typeof may, method: string, path: string, body?: object][] = [
      ['read', 'GET', ''],
      ['read', 'GET', `/${id}`],
      ['read', 'POST', `/${id}/preview`, { name: 'Looked at' }],
      ['read', 'GET', `/${id}/subscribers`],
      ['read', 'GET', `/${id}/issues/${draft.id}`],
      ['read', 'GET', `/${id}/issues/${draft.id}/preview`],
      ['read', 'POST', `/${id}/issues/${draft.id}/check`],
      ['send', 'POST', `/${id}/issues/${draft.id}/send-test`, { to: 'me@example.com' }],
      ['send', 'POST', `/${id}/issues/${draft.id}/schedule`, { scheduled_for: inSeconds(3_600) }],
      ['send', 'POST', `/${id}/issues`, { subject: 'x', html_body: 'x', scheduled_for: inSeconds(3_600) }],
      ['send', 'PATCH', `/${id}/issues/${scheduled.id}`, { subject: 'Changed by hand' }],
      ['send', 'PATCH', `/${id}/issues/${scheduled.id}`, { scheduled_for: inSeconds(7_200) }],
      ['send', 'POST', `/${id}/issues/${draft.id}/send`],
      ['send', 'POST', `/${id}/issues/${scheduled.id}/cancel`],
      ['write', 'POST', `/${id}/issues`, { subject: 'x', html_body: 'x' }],
      ['write', 'PATCH', `/${id}`, { description: role }],
      ['write', 'POST', `/${id}/subscribers`, { email: `${role}@example.com` }],
      ['write', 'DELETE', `/${id}/issues/${draft.id}`],
      ['write', 'DELETE', `/${other}`],
      ['send', 'DELETE', `/${id}`],
    ];
    for (const [what, method, path, body] of rows) {
      if (may.send && path.endsWith('/send')) continue; // what is sent can be neither changed nor removed
      const reply = await t.call(method, path, { key, ...(body === undefined ? {} : { body }) });
      const name = `${method} ${path} ${JSON.stringify(body)}: ${reply.text.slice(0, 200)}`;
      if (may[what]) assert.ok(reply.status < 300 || reply.status === 409, name);
      else assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error'], name);
      if (!may.write) assert.deepEqual(await t.stored(draft.id), before, name);
      if (!may.send) {
        const { issue } = await t.stored(scheduled.id);
        assert.deepEqual([issue.status, issue.subject], ['scheduled', scheduled.subject], name);
      }
    }
    const { rows: emails } =
      await sql`select from emails where workspace_id = ${t.app.workspaceId} and lane = 2`.execute(t.app.db);
    assert.equal(emails.length, 0);
  });
}
