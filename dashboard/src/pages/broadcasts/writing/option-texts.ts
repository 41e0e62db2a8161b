import type { Options } from './draft.ts';

/** A text that was read, or a sentence about what is wrong with it. */
export type Read<T> = { value: T } | { problem: string };

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const REPLY_MAX = 10;
const TAGS_MAX = 20;
const TAG = /^([A-Za-z0-9_-]{1,256})=([A-Za-z0-9_-]{1,256})$/;

/** Addresses with commas between them. The server judges each of them. */
export function readReplyTo(text: string): Read<Options['replyTo']> {
  const value = partsOf(text);
  if (value.length > REPLY_MAX) return { problem: `At most ${REPLY_MAX} addresses.` };
  const bad = value.find((part) => !part.includes('@'));
  return bad === undefined ? { value } : { problem: `“${bad}” is no address.` };
}

export const tagsText = (tags: Options['tags']): string => tags.map(({ name, value }) => `${name}=${value}`).join(', ');

/** `campaign=fall, kind=offer` */
export function readTags(text: string): Read<Options['tags']> {
  const parts = partsOf(text);
  if (parts.length > TAGS_MAX) return { problem: `At most ${TAGS_MAX} labels.` };
  const bad = parts.find((part) => !TAG.test(part));
  if (bad !== undefined) return { problem: `“${bad}” is not like campaign=fall: letters, digits, - and _.` };
  return {
    value: parts.map((part) => {
      const [, name = '', value = ''] = TAG.exec(part) ?? [];
      return { name, value };
    }),
  };
}

export const variablesText = (variables: Options['variables']): string =>
  Object.keys(variables).length === 0 ? '' : JSON.stringify(variables, null, 2);

export function readVariables(text: string): Read<Options['variables']> {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } };
  } catch {
    // Falls through to the one sentence.
  }
  return { problem: 'This is no JSON object, such as {"discount": 20}.' };
}
