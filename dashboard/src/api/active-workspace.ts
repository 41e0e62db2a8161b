const KEY = 'posthorn.workspace';

/**
 * The workspace that requests of this tab act in. Each tab has its own (sessionStorage); a new tab begins with the one
 * chosen last (localStorage). Both may be forbidden by the browser: then the server's choice counts.
 */
export function activeWorkspaceId(): string | undefined {
  return read(() => sessionStorage) ?? read(() => localStorage);
}

/** The workspace of this tab, among those of the person; else the one that the server names, else the first. */
export function workspaceOf<T extends { id: string }>(
  me: { workspace_id: string | null },
  workspaces: readonly T[],
): T | undefined {
  const wanted = activeWorkspaceId();
  const withId = (id: string | null | undefined) => workspaces.find((one) => one.id === id);
  return withId(wanted) ?? withId(me.workspace_id) ?? workspaces[0];
}

export function chooseWorkspace(id: string | undefined): void {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      if (id === undefined) storage().removeItem(KEY);
      else storage().setItem(KEY, id);
    } catch {
      // The choice then lasts as long as the page.
    }
  }
}

function read(storage: () => Storage): string | undefined {
  try {
    return storage().getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
