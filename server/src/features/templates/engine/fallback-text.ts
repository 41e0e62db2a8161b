import { type Liquid, type Template as Node, Tokenizer, TokenKind } from 'liquidjs';
import { nearestName } from '#platform/http/fields/spelling.ts';

/** A name, a bar without spaces around it, and a text: no filter has arguments or stands behind it. */
const WITH_FALLBACK = /^([A-Za-z_][\w.-]*)\|([^|:"'\\{}%\r\n]{1,100})$/;
const MAY_HAVE_ONE = /\{\{-?\s*[A-Za-z_][\w.-]*\|\w/;

/**
 * Reads a template, in which `{{first_name|there}}` means `{{ first_name | default: "there" }}` (decision 0179): mail
 * services write a fallback so, and templates are carried over from them. The name of a filter stays a filter, and
 * a word that differs from one by a letter stays a fault.
 */
export function parseWithFallbacks(liquid: Liquid, source: string): Node[] {
  if (!MAY_HAVE_ONE.test(source)) return liquid.parse(source);
  const tokens = new Tokenizer(source, liquid.options.operators).readTopLevelTokens(liquid.options);
  let read = '';
  let at = 0;
  for (const { kind, begin, end } of tokens) {
    if (kind !== TokenKind.Output) continue;
    read += source.slice(at, begin) + withDefault(liquid, source.slice(begin, end));
    at = end;
  }
  return liquid.parse(read + source.slice(at));
}

function withDefault(liquid: Liquid, output: string): string {
  const [, open = '', inside = '', close = ''] = /^(\{\{-?)(.*?)(-?\}\})$/s.exec(output) ?? [];
  const [, name, fallback] = WITH_FALLBACK.exec(inside.trim()) ?? [];
  if (name === undefined || fallback === undefined) return output;
  const filters = Object.keys(liquid.filters);
  const isFilter = filters.includes(fallback) || nearestName(fallback, filters) !== undefined;
  return isFilter ? output : `${open} ${name} | default: "${fallback}" ${close}`;
}
