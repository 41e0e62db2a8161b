import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type Action, type Role, whyNot } from '../lib/capabilities.ts';
import { keepZoneOfWorkspace } from '../lib/zone.ts';
import { activeWorkspaceId, chooseWorkspace, workspaceOf } from './active-workspace.ts';
import { getMe, listWorkspaces } from './generated/sdk.gen.ts';
import type { Me, Workspace } from './generated/types.gen.ts';

export interface Session {
  me: Me;
  workspaces: readonly Workspace[];
  /** Undefined for a person who is in no workspace. */
  workspace: Workspace | undefined;
}

/** The person and their workspace, read before the first page is shown. Fails with 401 when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: [{ _id: 'session' }],
  queryFn: readSession,
  staleTime: 60_000,
});

async function readSession(): Promise<Session> {
  // Empty means no header: a workspace that the person has left would make both fail.
  const headers = { 'X-Workspace-ID': '' };
  const [{ data: me }, { data: page }] = await Promise.all([
    getMe({ headers, throwOnError: true }),
    listWorkspaces({ headers, query: { limit: '100' }, throwOnError: true }),
  ]);
  const workspace = workspaceOf(me, page.data);
  chooseWorkspace(workspace?.id);
  keepZoneOfWorkspace(workspace?.timezone);
  return { me, workspaces: page.data, workspace };
}

/**
 * Asks for the data of the first page beside the session, and not after it, where the browser knows the workspace. A
 * failure is no harm: the page asks again.
 */
export function readWithSession(queries: QueryClient, read: () => Promise<void>): void {
  if (activeWorkspaceId() === undefined) return;
  void queries.prefetchQuery(sessionQuery);
  void read();
}

/** The session of a page behind the sign-in. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** The role in the active workspace. */
export const useRole = (): Role | undefined => useSession().workspace?.role;

/** Undefined when the person may; otherwise the reason to show. `ui/ActionButton` takes it as `disabledReason`. */
export const useWhyNot = (action: Action): string | undefined => whyNot(useRole(), action);
