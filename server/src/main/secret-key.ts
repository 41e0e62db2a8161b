import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#platform/config/settings.ts';
import { makeFolder, writeNewFile } from '#platform/lasting-files.ts';

const FILE = 'secret-key';
const KEY_BYTES = 32;
const CHARACTERS_MIN = 32;

/**
 * The master secret: the setting, or one made on the first start and kept (0600) in the data directory. Losing it
 * means that DKIM keys and webhook secrets cannot be read any more, so it belongs into every backup. `isNew` says that
 * this database was never used with a secret: only then one is made.
 */
export function masterKey(settings: Settings, isNew: boolean): string {
  if (settings.secretKey !== null) return settings.secretKey;
  const file = path.join(settings.dataDir, FILE);
  const key = read(file) ?? (isNew ? make(file) : undefined);
  if (key === undefined) throw lost(file, 'is missing');
  if (key.includes('\0')) throw lost(file, 'is damaged: it contains zero bytes');
  if (key.length < CHARACTERS_MIN)
    throw lost(file, key === '' ? 'is empty' : `has ${key.length} characters; it needs at least ${CHARACTERS_MIN}`);
  return key;
}

function make(file: string): string {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  makeFolder(path.dirname(file));
  writeNewFile(file, `${key}\n`);
  return key;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(
      `The secret key ${file} cannot be read by this user (${code}). Start Posthorn as the user that started it first, or as root.`,
      { cause: error },
    );
  }
}

const lost = (file: string, fault: string): Error =>
  new Error(
    `The secret key file ${file} ${fault}. Posthorn makes no new key, because the DKIM keys and webhook secrets in its ` +
      'database can be read with the old one only. Restore this file from a backup, or set POSTHORN_SECRET_KEY to its ' +
      'content. Without a backup, move the data directory away and start with an empty one.',
  );
