import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './data-dir.ts';
import { undoAfter } from './undo.ts';
import { until } from './until.ts';

const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, {
    stdio: 'pipe',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  });
};

// EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH (ext4.h): from here on nothing reaches the device, neither written
// data that waits in memory nor the journal.
const SHUT_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
`;

export interface Disk {
  folder: string;
  /** The power fails: all that was not brought to the device is lost, and every later write fails. */
  cut(): void;
  /** The power is back. Waits until no process uses the disk any more. */
  restore(): Promise<void>;
}

/** Why this machine cannot make a disk of its own; undefined when it can. */
export function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux') return 'it needs ext4, a file system of Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  try {
    run('losetup', '--find');
    run('unshare', '--mount', 'true');
    run('mkfs.ext4', '-V');
    run('/usr/bin/python3', '--version');
    return undefined;
  } catch (error) {
    return `it needs loop devices, mount, mkfs.ext4 and python3 (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`;
  }
}

/** A file system on a block device of its own, removed after the test. */
export function makeDisk(t: TestContext, megabytes: number): Disk {
  const place = temporaryFolder(t);
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  mkdirSync(folder);
  run('truncate', '-s', `${megabytes}M`, image);
  run('mkfs.ext4', '-q', '-F', image);
  const mount = (): void => run('mount', '-o', 'loop', image, folder);
  mount();
  undoAfter(t, () => run('umount', '--lazy', folder));
  chmodSync(folder, 0o755);
  return {
    folder,
    cut: () => run('/usr/bin/python3', '-c', SHUT_DOWN, folder),
    async restore() {
      await until('the end of every process on the disk', async () => {
        try {
          run('umount', folder);
          return true;
        } catch {
          return undefined; // busy
        }
      });
      mount();
    },
  };
}
