import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

export interface Environment {
  values: Readonly<Record<string, string | undefined>>;
  /** The names whose value comes from the `.env` file. */
  fromFile: ReadonlySet<string>;
}

/** The process's environment over the `.env` file of `folder`, if there is one: what is set outside wins. */
export function readEnvironment(folder: string): Environment {
  const file = path.join(folder, '.env');
  const written = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const fromFile = new Set(Object.keys(written).filter((name) => process.env[name] === undefined));
  return { values: { ...written, ...process.env }, fromFile };
}
