import { hasLiquid, parseTemplate } from '#features/templates';
import type { Finding } from '#mail/list-mail/finding.ts';
import type { Composition } from '../composition.ts';
import { fieldsOf } from '../refuse-texts.ts';

/** Names that no reader will ever have a value for: most of them are mistyped. */
export async function checkVariables(composition: Composition): Promise<Finding> {
  const unknown = new Set<string>();
  for (const { source, kind } of fieldsOf(composition)) {
    if (!hasLiquid(source)) continue;
    const template = await parseTemplate(source, kind).catch(() => null); // reported with the texts
    for (const path of template?.paths ?? []) if (!isKnown(composition, path)) unknown.add(path.join('.'));
  }
  if (unknown.size === 0) return { id: 'variables', level: 'ok', message: 'Every variable is known.' };
  const names = [...unknown].slice(0, 10).join(', ');
  return { id: 'variables', level: 'warning', message: `Nobody has a value for ${names}.` };
}

const isKnown = ({ knownPaths }: Composition, path: readonly string[]): boolean =>
  knownPaths.some((known) => {
    const parts = known.split('.');
    // The beginning of a known path is known, and so is anything below its end.
    return parts.every((part, index) => index >= path.length || path[index] === part);
  });
