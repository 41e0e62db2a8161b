/**
 * One Posthorn process to a data directory. The lock is a file that names its owner by pid and start time, made by
 * link(2), so it appears whole or not at all, and a lock whose owner is gone (kill -9, power cut) is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { lifeOf } from './process-identity.ts';
import { systemErrorCode } from './system-error-code.ts';

interface Owner {
  pid: number;
  life: string | undefined;
}

export type LockResult = { held: true; release(): void } | { held: false; ownerPid: number };

export function takeOwnerLock(file: string): LockResult {
  const mine = JSON.stringify({ pid: process.pid, life: lifeOf(process.pid) } satisfies Owner);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (;;) {
      if (linked(draft, file)) return { held: true, release: () => releaseIfMine(file, mine) };
      const found = read(file);
      if (found === undefined) continue;
      const owner = parse(found);
      if (owner && owner.life !== undefined && lifeOf(owner.pid) === owner.life) {
        return { held: false, ownerPid: owner.pid };
      }
      removeStale(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

// Two processes may find the same dead lock. Renaming is atomic, so only one of them moves it away; if what it moved
// turns out to be the other's fresh lock, it puts that back.
function removeStale(file: string, stale: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== stale) linked(aside, file);
  rmSync(aside, { force: true });
}

function releaseIfMine(file: string, mine: string): void {
  if (read(file) === mine) rmSync(file, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner; // Only this file writes it; anything else is caught or has no live owner.
  } catch {
    return undefined;
  }
}
