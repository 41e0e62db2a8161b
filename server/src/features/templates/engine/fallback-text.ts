import { Liquid, type Template as Node, Tokenizer, TokenKind } from 'liquidjs';
import { nearestName } from '#platform/http/fields/spelling.ts';

/** A name, a bar without spaces around it, and a text: no filter has arguments or stands behind it. */
const WITH_FALLBACK = /^([A-Za-z_][\w.-]*)\|([^|:"'\\{}%\r\n]{1,100})$/;
/** Filters that others have, and we have not all of: those of the library, and words with an underscore. */
const OF_OTHERS = new Set(Object.keys(new Liquid().filters));
const WORDS_OF_A_FILTER = /^[a-z]+(?:_[a-z0-9]+)+$/;
const MAY_HAVE_ONE = /\{\{-?\s*[A-Za-z_][\w.-]*\|\w/;

/**
 * Reads a template, in which `{{first_name|there}}` means `{{ first_name | default: "there" }}` (decision 0179): mail
 * services write a fallback so, and templates are carried over from them. The name of a filter stays a filter, and a
 * filter that there is not, or one with a wrong letter, stays a fault.
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
  const isFilter = OF_OTHERS.has(fallback) || nearestName(fallback, Object.keys(liquid.filters)) !== undefined;
  return isFilter || WORDS_OF_A_FILTER.test(fallback) ? output : `${open} ${name} | default: "${fallback}" ${close}`;
}
