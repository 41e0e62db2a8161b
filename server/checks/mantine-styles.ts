import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltParts } from './dashboard-chunks.ts';

/** Sheets by their classes: `m_77c9d27d` → `@mantine/core/styles/Button.layer.css`. */
export type MantineSheets = ReadonlyMap<string, string>;

const CLASS = /\bm_[0-9a-f]{5,8}\b/g;

/** Of the packages that are installed. A class that no sheet names has no looks, and needs none. */
export function readMantineSheets(dashboard: string): MantineSheets {
  const scope = join(dashboard, 'node_modules/@mantine');
  const files = readdirSync(scope).flatMap((name) => {
    const folder = join(scope, name, 'styles');
    if (existsSync(folder)) return readdirSync(folder).map((file) => `${name}/styles/${file}`);
    return existsSync(join(scope, name, 'styles.layer.css')) ? [`${name}/styles.layer.css`] : [];
  });
  return new Map(
    files
      .filter((file) => file.endsWith('.layer.css'))
      .flatMap((file) =>
        [...readFileSync(join(scope, file), 'utf8').matchAll(/(?<=\.)m_[0-9a-f]{5,8}\b/g)].map(
          ([name]): [string, string] => [name, `@mantine/${file}`],
        ),
      ),
  );
}

/**
 * Parts of Mantine whose sheet is not loaded with them: they are there and have no looks. The entry is always loaded
 * before; what another lazy part has loaded may or may not be there.
 */
export function partsWithoutLooks(folder: string, { entry, lazy }: BuiltParts, sheets: MantineSheets): string[] {
  const classesIn = (files: Iterable<string>, ending: string): Set<string> =>
    new Set(
      [...files]
        .filter((file) => file.endsWith(ending))
        .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(CLASS) ?? []),
    );
  const always = classesIn(entry.files, '.css');
  return [entry, ...lazy].flatMap(({ name, files }) => {
    const styled = classesIn(files, '.css');
    const missing = [...classesIn(files, '.js')]
      .filter((one) => !always.has(one) && !styled.has(one))
      .flatMap((one) => sheets.get(one) ?? []);
    return [...new Set(missing)]
      .sort()
      .map((sheet) => `${name} uses parts whose looks are not loaded: import ${sheet}`);
  });
}
