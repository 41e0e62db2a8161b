const KEY = 'posthorn.workspace';

/**
 * The workspace that requests of this tab act in. Each tab has its own (sessionStorage); a new tab begins with the one
 * chosen last (localStorage). Both may be forbidden by the browser: then the server's choice counts.
 */
export function activeWorkspaceId(): string | undefined {
  return read(() => sessionStorage) ?? read(() => localStorage);
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
