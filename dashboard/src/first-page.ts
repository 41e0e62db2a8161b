import { activeWorkspaceId, workspaceOf } from './api/active-workspace.ts';
import { askEarly } from './early.ts';
import { turn } from './turn.ts';

/** The first rows of the lists that every role reads, by the path of their page. */
export const FIRST_ROWS: ReadonlyMap<string, string> = new Map([
  ['/contacts', '/v1/contacts?limit=50'],
  ['/emails', '/v1/emails?limit=50'],
  ['/events', '/v1/events?limit=50'],
  ['/newsletters', '/v1/newsletters?limit=50'],
  ['/outbox', '/v1/captured-emails?limit=50'],
  ['/suppressions', '/v1/suppressions?limit=50'],
  ['/templates', '/v1/templates?limit=50'],
]);

/**
 * Asks for the session, and for what the Overview or a list without filters shows first. The operations are those of
 * the pages themselves.
 */
export async function askForFirstPage({ pathname, search }: { pathname: string; search: string }): Promise<void> {
  const answers = [askEarly('/auth/me'), askEarly('/workspaces?limit=100')];
  const rows = search === '' ? FIRST_ROWS.get(pathname) : undefined;
  if (pathname !== '/' && rows === undefined) return;
  const ask = (workspace: string): void => {
    if (rows === undefined) askForOverview(workspace);
    else void askEarly(rows, workspace);
  };
  await turn(); // a request takes one to two milliseconds of a phone's thread
  const known = activeWorkspaceId();
  if (known !== undefined) ask(known);
  const session = await readAnswers(answers).catch(() => undefined); // the page says what is wrong
  if (session === undefined) return;
  const { workspace, workspaces } = session;
  if (workspace === undefined) return;
  if (known === undefined) ask(workspace.id);
  if (rows !== undefined) return;
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
