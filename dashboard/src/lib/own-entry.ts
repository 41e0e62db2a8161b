/**
 * The entry of a table under a name that somebody wrote; undefined when the table has none. `table[name]` would find
 * what every object has too: `constructor`, `toString`, `__proto__`.
 */
export const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
