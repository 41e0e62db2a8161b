import { busy } from '#platform/errors/app-error.ts';

/** Each has a process with up to 700 MB and one processor. */
const AT_ONCE = 2;
/** Each holds the bytes of its file: up to 10 MB. */
const WAITING_MAX = 16;
const WAITING_OF_ONE_MAX = 8;
const RETRY_AFTER_SECONDS = 2;

export type DecodingSlots = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  begin(): void;
  refuse(error: Error): void;
}

/**
 * Decodes two images at a time in this process, and one of a workspace: slow images of one leave a place for another.
 * Others wait, a bounded number of them, and their workspaces take turns: 503 beyond. Where all places to wait are
 * taken, a workspace with fewer of them gets that of the newest in the longest line.
 */
export function createDecodingSlots(): DecodingSlots {
  const running = new Set<string>();
  /** The images of each workspace, the oldest first. The workspace whose turn is next stands first. */
  const lines = new Map<string, Waiting[]>();
  const next = (): void => {
    for (const [workspaceId, line] of lines) {
      if (running.size >= AT_ONCE) return;
      if (running.has(workspaceId)) continue;
      const first = line.shift();
      lines.delete(workspaceId);
      if (line.length > 0) lines.set(workspaceId, line); // behind all others
      running.add(workspaceId);
      first?.begin();
    }
  };
  const wait = (workspaceId: string): Promise<void> => {
    const line = lines.get(workspaceId) ?? [];
    const all = [...lines.values()];
    if (line.length >= WAITING_OF_ONE_MAX) throw full();
    if (all.reduce((sum, { length }) => sum + length, 0) >= WAITING_MAX) {
      const [longest] = all.toSorted((a, b) => b.length - a.length);
      if (longest === undefined || longest.length <= line.length + 1) throw full();
      longest.pop()?.refuse(full());
    }
    lines.set(workspaceId, line);
    return new Promise((begin, refuse) => line.push({ begin, refuse }));
  };
  return async (workspaceId, work) => {
    if (running.size >= AT_ONCE || running.has(workspaceId)) await wait(workspaceId);
    else running.add(workspaceId);
    try {
      return await work();
    } finally {
      running.delete(workspaceId);
      next();
    }
  };
}

const full = (): Error =>
  busy('Many images are being read at this moment. Send the file again in a moment.', RETRY_AFTER_SECONDS);
