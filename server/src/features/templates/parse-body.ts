import { bundleOf } from './body-bundle.ts';
import { parseBundle, parseTemplate, type Template } from './engine/template.ts';
import type { Pinned } from './stored-template.ts';

/** Reads a body, with the layouts and partials that it was pinned with when it comes of a stored template. */
export const parseBody = (source: string, pinned: Pinned | null, kind: 'html' | 'text'): Promise<Template> =>
  pinned === null ? parseTemplate(source, kind) : parseBundle(bundleOf(source, pinned, kind), kind);
