import { activeWorkspaceId, workspaceOf } from './api/active-workspace.ts';
import { askEarly } from './early.ts';

/** Asks for the session, and for what the Overview shows first. The operations are those of the pages themselves. */
export async function askForFirstPage(pathname: string): Promise<void> {
  const answers = [askEarly('/auth/me'), askEarly('/workspaces?limit=100')];
  if (pathname !== '/') return;
  const known = activeWorkspaceId();
  if (known !== undefined) askForOverview(known);
  const session = await readAnswers(answers).catch(() => undefined); // the page says what is wrong
  if (session === undefined) return;
  const { workspace, workspaces } = session;
  if (workspace === undefined) return;
  if (known === undefined) askForOverview(workspace.id);
  if (workspace.edition === 'cloud') void askEarly('/v1/domains', workspace.id);
  // As `api/operator.ts`.
  if (workspaces.some(({ role }) => role === 'owner')) void askEarly('/instance/workspaces?limit=1', workspace.id);
}

function askForOverview(workspace: string): void {
  for (const path of ['/v1/overview', '/v1/api-keys?limit=100', '/v1/newsletters?limit=100', '/v1/analytics/health']) {
    void askEarly(path, workspace);
  }
}

interface Workspace {
  id: string;
  role: string;
  edition: string;
}

/** The workspace is found as `api/session.ts` does it. */
async function readAnswers(asked: Promise<Response>[]) {
  const answers = await Promise.all(asked);
  if (answers.some(({ ok }) => !ok)) return undefined;
  const [me, page] = await Promise.all(answers.map((answer) => answer.clone().json()));
  const workspaces: readonly Workspace[] = page.data;
  return { workspaces, workspace: workspaceOf(me, workspaces) };
}
