import type { Pinned } from './stored-template.ts';
import type { TemplateBundle } from './engine/template.ts';

/** One body with the layouts that have such a body, and the partials that have one. */
export function bundleOf(source: string, { layouts, partials }: Pinned, kind: 'html' | 'text'): TemplateBundle {
  return {
    sources: [source, ...layouts.flatMap((layout) => layout[kind] ?? [])],
    partials: Object.fromEntries(
      Object.entries(partials).flatMap(([name, one]) => (one[kind] === null ? [] : [[name, one[kind]]])),
    ),
  };
}
