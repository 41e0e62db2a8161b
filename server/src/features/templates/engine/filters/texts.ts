/** Filters of text as the reference implementation has them: a character is one, however many units it has. */
import type { Context, Liquid } from 'liquidjs';
import { escapeHtml } from '#platform/html/html.ts';
import { isPlain, textOf } from '../template-data.ts';
import { numberOf } from './arithmetic.ts';

const WORDS_MAX = 1_000_000;

/**
 * The number of code points; half of a pair that stands alone is one. It walks through the text, which `limit` is
 * charged with. By its units and not by `for … of`, which makes a string of each character and takes 7 to 25 ms for a
 * megabyte.
 */
export function characterCount(text: string, limit: Context['memoryLimit']): number {
  limit.use(text.length);
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (!isLowHalf(text.charCodeAt(at)) || !isHighHalf(text.charCodeAt(at - 1))) continue;
    count -= 1;
  }
  return count;
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

export function registerTextFilters(liquid: Liquid): void {
  liquid.registerFilter('escape', function (value: unknown) {
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    return escapeHtml(text);
  });
  liquid.registerFilter('size', function (value: unknown) {
    return sizeOf(value, this.context.memoryLimit);
  });
  liquid.registerFilter('truncate', function (value: unknown, length: unknown = 50, end: unknown = '...') {
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    if (value === undefined || value === null) return '';
    return truncated(text, { length: Math.trunc(numberOf(length)), end: textOf(end) }, this.context.memoryLimit);
  });
  liquid.registerFilter('truncatewords', function (value: unknown, length: unknown = 15, end: unknown = '...') {
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    const most = Math.min(Math.max(Math.trunc(numberOf(length)), 1), WORDS_MAX);
    const words = wordsOf(text);
    return words.length <= most ? text : `${words.slice(0, most).join(' ')}${textOf(end)}`;
  });
  liquid.registerFilter('split', function (value: unknown, separator?: unknown) {
    const text = textOf(value);
    this.context.memoryLimit.use(text.length);
    const by = textOf(separator);
    if (by === ' ') return wordsOf(text);
    const parts = by === '' ? Array.from(text) : text.split(by);
    while (parts.at(-1) === '') parts.pop();
    return parts;
  });
}

function sizeOf(value: unknown, limit: Context['memoryLimit']): number {
  if (typeof value === 'string') return characterCount(value, limit);
  if (Array.isArray(value)) return value.length;
  return isPlain(value) ? 0 : Object.keys(value as object).length; // isPlain has asked
}

function truncated(
  text: string,
  { length, end }: { length: number; end: string },
  limit: Context['memoryLimit'],
): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  return characters.slice(0, Math.max(length - characterCount(end, limit), 0)).join('') + end;
}

const wordsOf = (text: string): string[] => text.split(/[\s\0]+/).filter((word) => word !== '');
