const OUTPUT = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/g;
/** A reader without values sees the part behind `else`, if there is one. */
const CHOICE = /\{%-?\s*if\b[\s\S]*?%\}[\s\S]*?(?:\{%-?\s*else\s*-?%\}([\s\S]*?))?\{%-?\s*endif\s*-?%\}/g;
const TAG = /\{%[\s\S]*?%\}/g;
const FALLBACK = /\|\s*default:\s*(?:"([^"]*)"|'([^']*)')/;

/**
 * The subject as a title: each value of a reader as its fallback, or left out. Readers have names of their own; the
 * page of an issue is for all of them.
 */
export function shownSubject(subject: string): string {
  if (!subject.includes('{')) return subject;
  const fallbackOf = (_whole: string, expression: string): string => {
    const [, double, single] = FALLBACK.exec(expression) ?? [];
    return double ?? single ?? '';
  };
  return subject
    .replace(CHOICE, (_whole, otherwise?: string) => otherwise ?? '')
    .replace(TAG, '')
    .replace(OUTPUT, fallbackOf)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .replace(/^[\s,;:]+/, '')
    .trim();
}

/**
 * The subject of an email as people know it: an issue and a broadcast keep theirs once, with its variables, for all.
 * Every other email, also one of an automation, has its own, in which braces are text.
 */
export const shownSubjectOf = ({ subject, source }: { subject: string; source: string | null }): string =>
  source === 'issue' || source === 'broadcast' ? shownSubject(subject) : subject;
