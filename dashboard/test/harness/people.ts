import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from '../../../server/test/harness/until.ts';
import type { Person, RunningDashboard } from './dashboard.ts';

type Running = Pick<RunningDashboard, 'posthorn' | 'owner'>;

/** An answer of our own API. */
type Answer = Record<string, unknown>;

export async function callAs(
  { posthorn }: Running,
  token: string | undefined,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${posthorn.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${method} ${path} answered ${answer.status}`);
  return (await answer.json()) as Answer;
}

/** Signs the owner in. The token acts in the home workspace. */
export async function asOwner(running: Running): Promise<{ token: string; workspaceId: string; userId: string }> {
  const answer = await callAs(running, undefined, '/auth/login', running.owner);
  const user = answer['user'] as { id: string };
  return { token: String(answer['token']), workspaceId: String(answer['workspace_id']), userId: user.id };
}

/** The newest link to a page in the captured mail to an address. `before` is one that was read already. */
export function mailedLink({ posthorn }: Running, to: string, page: string, before?: string): Promise<string> {
  return until(`a link to ${page} in mail to ${to}`, async () => {
    const list = (await posthorn.fetch(`/v1/captured-emails?to=${encodeURIComponent(to)}`)).body;
    for (const { id } of (list as { data: { id: string }[] }).data) {
      const { text } = (await posthorn.fetch(`/v1/captured-emails/${id}`)).body as { text: string };
      const link = new RegExp(`/${page}\\?token=[\\w-]{43}`).exec(text)?.[0];
      // The mails that follow are older.
      if (link !== undefined) return link === before ? undefined : link;
    }
    return undefined;
  });
}

/** Somebody with an account of their own, who has joined the home workspace by an invitation. */
export async function aMember(
  running: Running,
  role: string,
  given: { email?: string; name?: string } = {},
): Promise<Person> {
  const { token, workspaceId } = await asOwner(running);
  const email = given.email ?? `${role}-${randomUUID().slice(0, 8)}@example.com`;
  await callAs(running, token, `/workspaces/${workspaceId}/invites`, { email, role });
  const link = await mailedLink(running, email, 'accept-invite');
  const password = 'correct horse battery';
  const { name } = given;
  await callAs(running, undefined, `/invites/${link.split('=')[1]}/accept`, {
    password,
    ...(name === undefined ? {} : { name }),
  });
  return { email, password };
}
