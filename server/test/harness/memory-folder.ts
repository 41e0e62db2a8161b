import { accessSync, constants, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** A run takes about 1 GB: databases of 8 MB each, the log, folders of processes. Docker gives 64 MB by default. */
const ROOM = 3 * 1024 ** 3;

/**
 * A folder in memory with room for a run of tests; undefined where there is none. A copy of a database is 900 files,
 * and ext4 may take 0.7 s of a core to make them where tmpfs takes 0.02 s (November 2026).
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= ROOM ? FOLDER : undefined;
  } catch {
    return undefined; // Not Linux.
  }
}
