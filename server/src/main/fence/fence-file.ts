/**
 * The file beside the database that remembers how often this process saw it. A database that goes back sees a number
 * that is higher than its own; a copied data directory sees a file that was written elsewhere.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Log } from '#platform/log.ts';
import { makeFolder, replaceFile } from '#platform/lasting-files.ts';
import type { Identity } from './queries.ts';

export interface LastSeen {
  /** Of which database it tells. */
  database: string;
  epoch: number;
  /** False: the file is a copy of the one that was written. */
  isOriginal: boolean;
}

export interface FenceFile {
  /** Undefined: there is none, or it cannot be read. */
  read(): LastSeen | undefined;
  /** A file that cannot be written is told once, and is no failure. */
  write(seen: { database: string; epoch: number }): Promise<void>;
}

const NAME = 'last-seen.json';

export const databaseOf = ({ systemIdentifier, databaseOid }: Identity): string =>
  `${systemIdentifier ?? 'unknown'}/${databaseOid}`;

export function createFenceFile({ dataDir, log }: { dataDir: string; log: Log }): FenceFile {
  const file = join(dataDir, NAME);
  let wasTold = false;
  return {
    read() {
      try {
        const inode = String(statSync(file, { bigint: true }).ino);
        const {
          database,
          epoch,
          inode: written,
        }: Partial<Record<string, unknown>> = JSON.parse(readFileSync(file, 'utf8'));
        if (typeof database !== 'string' || typeof epoch !== 'number') return undefined;
        return { database, epoch, isOriginal: written === inode };
      } catch {
        return undefined; // the caller knows whether there should be one
      }
    },
    async write({ database, epoch }) {
      try {
        makeFolder(dataDir);
        await replaceFile(file, (inode) => `${JSON.stringify({ database, epoch, inode })}\n`);
        wasTold = false;
      } catch (error) {
        if (!wasTold)
          log.warn(
            { err: error, file: resolve(file) },
            'the file beside the database cannot be written: a restored backup may go unnoticed',
          );
        wasTold = true;
      }
    },
  };
}
