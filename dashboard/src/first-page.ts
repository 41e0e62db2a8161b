import { activeWorkspaceId, workspaceOf } from './api/active-workspace.ts';
import { askEarly } from './early.ts';

/** Asks for the session, and for what the Overview shows first. The operations are those of the pages themselves. */
export async function askForFirstPage(pathname: string): Promise<void> {
  const session = [askEarly('/auth/me'), askEarly('/workspaces?limit=100')] as const;
  if (pathname !== '/') return;
  const workspace = activeWorkspaceId() ?? (await workspaceAfter(session).catch(() => undefined));
  if (workspace === undefined) return;
  for (const path of ['/v1/overview', '/v1/api-keys?limit=100', '/v1/newsletters?limit=100', '/v1/analytics/health']) {
    void askEarly(path, workspace);
  }
}

/** A browser that knows none learns it from the session, as `api/session.ts` does. */
async function workspaceAfter(session: readonly [Promise<Response>, Promise<Response>]): Promise<string | undefined> {
  const answers = await Promise.all(session);
  if (answers.some(({ ok }) => !ok)) return undefined;
  const [me, page] = await Promise.all(answers.map((answer) => answer.clone().json()));
  return workspaceOf(me, page.data)?.id;
}
