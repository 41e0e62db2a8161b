import { hasLiquid, type Template } from '#features/templates';
import type { Finding } from '#mail/list-mail/finding.ts';
import type { Composition, Reader } from '../composition.ts';
import { previewLinks } from '../made-up-readers.ts';
import { fieldsOf, parseField } from '../refuse-texts.ts';

/**
 * Names that no reader will ever have a value for: most of them are mistyped. And records that a template makes text
 * of, which prints nothing; `sample` are readers who have some.
 */
export async function checkVariables(composition: Composition, sample: readonly Reader[]): Promise<Finding> {
  const unknown = new Set<string>();
  const records = new Set<string>();
  for (const field of fieldsOf(composition)) {
    if (!hasLiquid(field.source) && field.pinned === undefined) continue;
    const template = await parseField(field).catch(() => null); // reported with the texts
    for (const path of template?.paths ?? []) if (!isKnown(composition, path)) unknown.add(path.join('.'));
    for (const reader of template === null ? [] : sample) {
      const variables = composition.variablesOf(reader, previewLinks(composition));
      for (const path of recordsShown(template, variables)) records.add(path);
    }
  }
  if (records.size > 0) {
    const names = [...records].slice(0, 10).join(', ');
    const message = `For some ${composition.names.readers} ${names} has parts of its own. As text it is empty.`;
    return { id: 'variables', level: 'warning', message };
  }
  if (unknown.size === 0) return { id: 'variables', level: 'ok', message: 'Every variable is known.' };
  const names = [...unknown].slice(0, 10).join(', ');
  return { id: 'variables', level: 'warning', message: `Nobody has a value for ${names}.` };
}

function recordsShown(template: Template | null, variables: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    return template?.recordsShown(variables) ?? [];
  } catch {
    return []; // reported with the texts
  }
}

const isKnown = ({ knownPaths }: Composition, path: readonly string[]): boolean =>
  knownPaths.some((known) => {
    const parts = known.split('.');
    // The beginning of a known path is known, and so is anything below its end.
    return parts.every((part, index) => index >= path.length || path[index] === part);
  });
