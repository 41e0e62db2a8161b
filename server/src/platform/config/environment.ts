import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

/** The process's environment over the `.env` file of `folder`, if there is one: what is set outside wins. */
export function readEnvironment(folder: string): Record<string, string | undefined> {
  const file = path.join(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env };
}
