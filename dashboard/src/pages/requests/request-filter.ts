const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface TextFilter {
  request_id?: string;
  mentions?: string;
  q?: string;
}

/** One box for the three ways to look for a request: a request id, an address or id that it names, part of its path. */
export function readText(search: string | undefined): TextFilter {
  const text = search?.trim() ?? '';
  if (text === '') return {};
  if (text.startsWith('req_')) return { request_id: text };
  if (UUID.test(text) || (text.includes('@') && !text.includes('/'))) return { mentions: text };
  return { q: text };
}
