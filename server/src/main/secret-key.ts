import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#platform/config/settings.ts';

const FILE = 'secret-key';

/**
 * The master secret: the setting, or one made on the first start and kept (0600) in the data directory. Losing it
 * means that DKIM keys and webhook secrets cannot be read any more, so it belongs into every backup.
 */
export function masterKey(settings: Settings): string {
  if (settings.secretKey !== null) return settings.secretKey;
  const file = path.join(settings.dataDir, FILE);
  if (!existsSync(file)) {
    mkdirSync(settings.dataDir, { recursive: true });
    const made = `${file}.${process.pid}`;
    writeFileSync(made, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    try {
      linkSync(made, file); // whole or not at all, and only one of two starters wins
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(made, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}
