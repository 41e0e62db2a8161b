/**
 * The one way to write files that must survive a power cut: a key, a password, the folder of the database. A write
 * reaches the disk when the system finds time, up to half a minute later; until then a power cut leaves a file of 0
 * bytes, or none. Every function here returns when the file and its name are on the disk.
 */
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes a file with this content, readable by its owner only. It appears whole or not at all. Throws EEXIST when the
 * name is taken: a lasting file is never overwritten.
 */
export function writeNewFile(file: string, text: string, owner?: { uid: number; gid: number }): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const fd = openSync(draft, 'wx', 0o600);
  try {
    try {
      writeFileSync(fd, text);
      if (owner) chownSync(draft, owner.uid, owner.gid);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkSync(draft, file); // of two that begin at once only one wins
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}

/**
 * Puts a file in the place of another, or where there was none, while the process goes on: a power cut leaves the old
 * one or the new one. `textOf` gets the number that the file system gives the new file, which no copy of it has.
 */
export async function replaceFile(file: string, textOf: (inode: string) => string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      const { ino } = await handle.stat({ bigint: true });
      await handle.writeFile(textOf(String(ino)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolderLater(dirname(file));
}

/** Renames a file or folder whose content is on the disk already. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) syncFolder(dirname(from));
}

export function linkFolder(target: string, link: string): void {
  symlinkSync(target, link);
  syncFolder(dirname(link));
}

/**
 * Makes a folder and those above it. One by one: Node's own recursive form never returns where the system refuses a
 * folder that has a parent, as below /proc.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    syncFolder(dirname(one));
  }
}

/** Brings all that is in a folder to the disk. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) sync(path);
  }
  syncFolder(folder);
}

/** Names are on the disk once their folder is. */
function syncFolder(folder: string): void {
  try {
    sync(folder);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

async function syncFolderLater(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

/** Some file systems refuse to sync a folder (EINVAL), or this user may not read it. */
function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException; // of node:fs
  return code === 'EINVAL' || code === 'EACCES' || code === 'EBADF';
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
