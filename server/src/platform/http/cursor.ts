import { isUuid } from '../ids.ts';

/** The place of a record in a list: its id, and its key where ids alone are not the order of the list. */
export interface Cursor {
  i: string;
  c?: unknown;
}

export const makeCursor = (id: string, key: string | undefined): string =>
  Buffer.from(JSON.stringify(key === undefined ? { i: id } : { c: key, i: id })).toString('base64url');

/** undefined: no list of ours has returned it. */
export function openCursor(text: string): Cursor | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isCursorContent(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const isCursorContent = (read: unknown): read is Cursor =>
  typeof read === 'object' && read !== null && 'i' in read && typeof read.i === 'string' && isUuid(read.i);
