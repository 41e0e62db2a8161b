/** Helpers that the tests of this feature share: a look at signatures, and people with roles. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { TestApp } from '../../../test/harness/app.ts';
import type { ReceivedDelivery } from '../../../test/harness/webhook-receiver.ts';

/** The way the documentation tells receivers to do it, without their tolerance of time. */
export function isSignedWith(secret: string, { headers, raw }: ReceivedDelivery): boolean {
  const header = String(headers['x-service-signature']);
  const t = /^t=(\d+),/.exec(header)?.[1] ?? '';
  const mine = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  return t === headers['x-service-timestamp'] && header.split(',').includes(`v1=${mine}`);
}

/** A dashboard token of a new person with this role. The installation must be open for registration. */
export async function tokenWithRole(app: TestApp, role: string): Promise<string> {
  const person = { email: `a.${role}@example.com`, password: `a password of the ${role}` };
  await app.request({ url: '/auth/register', key: null, body: person });
  await sql`insert into members (workspace_id, user_id, role)
    select ${app.workspaceId}, id, ${role} from users where email = ${person.email}`.execute(app.db);
  const answer = await app.request({
    url: '/auth/login',
    key: null,
    body: { ...person, workspace_id: app.workspaceId },
  });
  return (answer.body as { token: string }).token; // the response check has held it against its schema
}
