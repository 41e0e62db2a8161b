import { listLinks } from '#mail/tracking/link-list.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Composition } from './composition.ts';
import { madeUpReader, previewLinks } from './made-up-readers.ts';

/**
 * The addresses of the mail whose clicks are counted, in the order in which its readers see them; those of the frame
 * are never tracked. null: clicks are not tracked.
 */
export function countedLinks(
  composition: Composition,
  { publicUrl, dashboardUrl }: Pick<Settings, 'publicUrl' | 'dashboardUrl'>,
): string[] | null {
  if (!composition.tracking.clicks) return null;
  const rules = { baseUrl: publicUrl, ownUrls: [dashboardUrl] };
  return listLinks(composition.written.html, rules, sharedVariables(composition));
}

/** The variables that no reader changes, by the path that a template names. */
function sharedVariables(composition: Composition): ReadonlyMap<string, string> {
  const all = composition.variablesOf(madeUpReader, previewLinks(composition));
  const values = composition.knownPaths
    .filter((path) => !composition.ofReader.includes(path.split('.', 1)[0] ?? ''))
    .map((path) => [path, valueAt(all, path)] as const);
  return new Map(values.flatMap(([path, value]) => (typeof value === 'string' ? [[path, value]] : [])));
}

const valueAt = (variables: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined,
      variables,
    );
