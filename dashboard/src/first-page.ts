import { activeWorkspaceId, workspaceOf } from './api/active-workspace.ts';
import { askEarly } from './early.ts';
import { turn } from './turn.ts';

/**
 * The first reads of a page, the same for every role: by its path, and the tab that it opens with. `$1` is the first
 * id of the path. The questions are those of the page itself, to the letter.
 */
export const FIRST_READS: readonly (readonly [page: string, ...reads: string[]])[] = [
  ['/contacts', '/v1/contacts?limit=50', '/v1/lists?limit=100'],
  ['/emails', '/v1/emails?limit=50'],
  ['/events', '/v1/events?limit=50'],
  ['/lists/:id', '/v1/lists/$1', '/v1/contacts?limit=50&list_id=$1'],
  ['/newsletters', '/v1/newsletters?limit=50'],
  ['/newsletters/:id', '/v1/newsletters/$1', '/v1/newsletters/$1/issues?limit=50'],
  ['/newsletters/:id?tab=subscribers', '/v1/newsletters/$1', '/v1/newsletters/$1/subscribers?limit=50'],
  ['/newsletters/:id/issues/:id', '/v1/newsletters/$1', '/v1/newsletters/$1/issues/$2'],
  [
    '/newsletters/:id/issues/:id?tab=recipients',
    '/v1/newsletters/$1',
    '/v1/newsletters/$1/issues/$2',
    '/v1/newsletters/$1/issues/$2/recipients?limit=50',
  ],
  ['/newsletters/:id/issues/:id/edit', '/v1/newsletters/$1', '/v1/newsletters/$1/issues/$2'],
  ['/outbox', '/v1/captured-emails?limit=50'],
  ['/settings', '/workspaces/:workspace', '/workspaces/:workspace/usage'],
  ['/suppressions', '/v1/suppressions?limit=50'],
  ['/templates', '/v1/templates?limit=50'],
  ['/webhooks/deliveries', '/v1/webhooks', '/v1/webhook-deliveries?limit=50'],
  ['/webhooks/:id', '/v1/webhooks/$1'],
  ['/webhooks/:id?tab=deliveries', '/v1/webhooks/$1', '/v1/webhook-deliveries?limit=50&webhook_id=$1'],
];

/** Of a record. `/emails/new` is none. */
const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

function readsOf(address: string): string[] {
  for (const [page, ...reads] of FIRST_READS) {
    const pattern = new RegExp(`^${page.replace('?', '\\?').replaceAll(':id', ID)}$`);
    if (pattern.test(address)) return reads.map((read) => address.replace(pattern, read));
  }
  return [];
}

/**
 * Asks for the session, and for what the Overview, a list or a record without filters shows first. The operations are
 * those of the pages themselves.
 */
export async function askForFirstPage({ pathname, search }: { pathname: string; search: string }): Promise<void> {
  const answers = [askEarly('/auth/me'), askEarly('/workspaces?limit=100')];
  await turn(); // a request takes one to two milliseconds of a phone's thread
  const isOverview = pathname === '/';
  const reads = readsOf(pathname + search);
  if (!isOverview && reads.length === 0) return;
  const ask = (workspace: string): void => {
    if (isOverview) askForOverview(workspace);
    for (const read of reads) void askEarly(read.replace(':workspace', workspace), workspace);
  };
  const known = activeWorkspaceId();
  if (known !== undefined) ask(known);
  const session = await readAnswers(answers).catch(() => undefined); // the page says what is wrong
  if (session === undefined) return;
  const { workspace, workspaces } = session;
  if (workspace === undefined) return;
  if (known === undefined) ask(workspace.id);
  if (!isOverview) return;
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
