/**
 * Reads a statement the way the rule needs it: as queries inside queries. Each query that names tenant tables must
 * itself name workspace_id as often; one that stands in a neighbouring CTE protects nothing.
 */

/** A statement that is meant to see every workspace (a sweeper, say) carries this comment with its reason. */
const EVERY_WORKSPACE = /(--|\/\*)\s*every workspace:\s*\S+/i;

/** Tables that a query names without naming workspace_id, in order of appearance. */
export function unscopedTables(statement: string, tenantTables: Set<string>): string[] {
  if (EVERY_WORKSPACE.test(statement)) return [];
  return queriesIn(plain(statement)).flatMap((query) => {
    const tables = tablesNamedIn(query).filter((table) => tenantTables.has(table));
    const mentions = query.match(/\bworkspace_id\b/g)?.length ?? 0;
    // A join of two needs it twice at least: once compared with the caller's, once with each other.
    return mentions < tables.length ? tables.slice(mentions) : [];
  });
}

/** Every table (or CTE) that any query of the statement names. */
export const tablesIn = (statement: string): string[] => queriesIn(plain(statement)).flatMap(tablesNamedIn);

/** Tables that the statement inserts into, updates or deletes from. */
export function tablesWrittenIn(statement: string): string[] {
  const text = plain(statement).replace(/\bfor\s+(no key\s+)?update\b|\bdo\s+update\b/g, ' ');
  return [
    ...text.matchAll(
      /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\w+)/g,
    ),
  ].map((match) => match[1] ?? '');
}

const plain = (statement: string): string =>
  statement
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"(\w+)"/g, '$1')
    .replace(/\bpublic\./gi, '')
    .toLowerCase();

/** The statement's queries, each with `()` where another query stood inside it. */
function queriesIn(text: string): string[] {
  const queries: string[] = [];
  const open: string[] = [''];
  for (const character of text) {
    if (character === '(') open.push('');
    else if (character === ')' && open.length > 1) {
      const inner = open.pop() ?? '';
      const isQuery = /^\s*(select|insert|update|delete|with|merge)\b/.test(inner);
      if (isQuery) queries.push(inner);
      open[open.length - 1] += isQuery ? '()' : `(${inner})`;
    } else open[open.length - 1] += character;
  }
  return [open.join('('), ...queries];
}

function tablesNamedIn(query: string): string[] {
  const withoutLocks = query.replace(/\bfor\s+(no key\s+)?update\b|\bfor\s+(key\s+)?share\b|\bdo\s+update\b/g, ' ');
  const named = [
    ...withoutLocks.matchAll(/\b(?:from|join|into|update|using|table|truncate|copy)\s+(?:only\s+|lateral\s+)?(\w+)/g),
  ];
  const listed = [
    ...withoutLocks.matchAll(/\bfrom\s+([\s\S]*?)(?=\b(?:where|group|order|having|limit|returning|union|on|set)\b|$)/g),
  ].flatMap((match) =>
    (match[1] ?? '')
      .split(',')
      .slice(1)
      .map((item) => /^\s*(\w+)/.exec(item)?.[1] ?? ''),
  );
  return [...new Set([...named.map((match) => match[1] ?? ''), ...listed])];
}
