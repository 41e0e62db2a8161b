import { filesBelow, readText } from './source-tree.ts';

export interface SchemaTables {
  all: Set<string>;
  /** The tables that have a workspace_id. */
  tenant: Set<string>;
}

/** The tables that the migrations create, in their order; good enough for plain `create/alter/drop table`. */
export function readTables(migrations: string): SchemaTables {
  const all = new Set<string>();
  const tenant = new Set<string>();
  for (const file of filesBelow(migrations).filter((path) => path.endsWith('.sql'))) {
    const text = readText(migrations, file).replace(/--.*$/gm, '').toLowerCase();
    for (const statement of text.split(';')) {
      const created = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?(\w+)\s*\(([\s\S]*)/.exec(statement);
      const altered = /\balter\s+table\s+(?:only\s+)?(\w+)([\s\S]*)/.exec(statement);
      const dropped = /\bdrop\s+table\s+(?:if exists\s+)?(\w+)/.exec(statement);
      if (created?.[1]) {
        all.add(created[1]);
        if (/^\s*workspace_id\s/m.test(created[2] ?? '')) tenant.add(created[1]);
      } else if (altered?.[1]) {
        const renamed = /\brename\s+to\s+(\w+)/.exec(altered[2] ?? '')?.[1];
        if (/\badd\s+(?:column\s+)?(?:if not exists\s+)?workspace_id\b/.test(altered[2] ?? '')) tenant.add(altered[1]);
        if (renamed) for (const set of [all, tenant]) if (set.delete(altered[1])) set.add(renamed);
      } else if (dropped?.[1]) {
        all.delete(dropped[1]);
        tenant.delete(dropped[1]);
      }
    }
  }
  return { all, tenant };
}
