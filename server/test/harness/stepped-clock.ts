/**
 * A wall clock that a test moves under running processes, by libfaketime: PostgreSQL and Node see the step at once.
 * Monotonic clocks, and with them timers, go on as before.
 */
import { chmodSync, existsSync, globSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './data-dir.ts';

export interface SteppedClock {
  /** For the processes that go by this clock. */
  readonly environment: Record<string, string>;
  /** Puts the clock so many seconds ahead of the real one; negative: behind. */
  stepTo(seconds: number): void;
}

/** Where Debian puts the library. The preloaded name must not depend on the processor. */
export const findLibfaketime = (): string | undefined =>
  globSync('/usr/lib/*-linux-gnu/faketime/libfaketimeMT.so.1').find((file) => existsSync(file));

export function makeSteppedClock(t: TestContext): SteppedClock {
  const library = findLibfaketime();
  if (library === undefined) throw new Error('libfaketime is not installed');
  const file = join(temporaryFolder(t), 'offset');
  const stepTo = (seconds: number): void => {
    // Renamed, so that nobody reads half of it. PostgreSQL may run as another user.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`);
    chmodSync(`${file}.new`, 0o644);
    renameSync(`${file}.new`, file);
  };
  stepTo(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  };
  return { environment, stepTo };
}
