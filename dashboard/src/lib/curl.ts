export interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With its query. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The call takes the token of a person and no API key: accounts, members, workspaces. */
  as?: 'person';
}

/** The variable of the shell that the credential is read from. */
export const credentialOf = ({ as }: ApiCall): string => (as === 'person' ? 'POSTHORN_TOKEN' : 'POSTHORN_API_KEY');

/** In single quotes, in which a shell changes nothing; a single quote itself ends them for a moment. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call that a page makes, as a command for a terminal. The key is read from the environment, not shown. */
export function asCurl(call: ApiCall, origin: string): string {
  const lines = [`curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${shellQuote(`${origin}${call.path}`)}`];
  lines.push(`-H "Authorization: Bearer $${credentialOf(call)}"`);
  for (const [name, value] of Object.entries(call.headers ?? {})) lines.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (call.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`);
    lines.push(`--data-raw ${shellQuote(JSON.stringify(call.body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

/** A path with its query; parameters without a value are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
