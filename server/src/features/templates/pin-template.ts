import type { Db } from '#platform/db/database.ts';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import { bundleOf } from './body-bundle.ts';
import { findSources, type FoundSource, lockUses } from './queries.ts';
import { renderTemplate } from './render-template.ts';
import type { DeclaredVariable, Pinned, Source, TemplateContent, TemplateVariable } from './stored-template.ts';
import { parseBundle, parseTemplate } from './engine/template.ts';
import { TemplateError } from './engine/template-error.ts';

/** The result of reading a version together with all that it is made of. */
export interface PinnedTemplate {
  variables: TemplateVariable[];
  pinned: Pinned;
  names: string[];
  uses: string[];
}

interface Own {
  workspaceId: string;
  id: string;
  alias: string | null;
}

const RENDERED = /\{%-?\s*render\s+(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads a version with copies of its layouts and partials, as they are published now. 422 names the field that cannot
 * be read, a template that is not there or not published, and one that stands inside itself.
 */
export async function pinTemplate(tx: Db, own: Own, content: TemplateContent): Promise<PinnedTemplate> {
  const names = namesIn(content);
  // Two templates that name each other at the same time would both be read before either is there.
  if (names.length > 0) await lockUses(tx, own.workspaceId);
  const found = names.length === 0 ? [] : await findSources(tx, own.workspaceId, names);
  const byName = new Map(
    found.flatMap((one) => [[one.id, one] as const, ...(one.alias === null ? [] : [[one.alias, one] as const])]),
  );
  const layouts = layoutsOf(content.layout, own, byName);
  const partials = Object.fromEntries(
    [...byName].filter(([, { id }]) => id !== own.id).map(([name, { html, text }]) => [name, { html, text }]),
  );
  const pinned = { layouts: layouts.map(({ html, text }) => ({ html, text })), partials };
  const read = await readParts(content, pinned, own);
  return {
    names,
    uses: [...new Set(names.flatMap((name) => byName.get(name)?.id ?? []))],
    pinned: { layouts: pinned.layouts, partials: onlyUsed(partials, [content, ...layouts]) },
    variables: variablesOf(content.declared, read),
  };
}

const namesOfSource = ({ html, text }: Source): string[] =>
  [...`${html ?? ''}\n${text ?? ''}`.matchAll(RENDERED)].map(([, double, single]) => double ?? single ?? '');

const namesIn = (content: TemplateContent): string[] => [
  ...new Set([...(content.layout === null ? [] : [content.layout]), ...namesOfSource(content)]),
];

function onlyUsed(partials: Record<string, Source>, roots: readonly Source[]): Record<string, Source> {
  const used: Record<string, Source> = {};
  const waiting = roots.flatMap(namesOfSource);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const partial = Object.hasOwn(partials, name) ? partials[name] : undefined;
    if (partial === undefined || Object.hasOwn(used, name)) continue;
    used[name] = partial;
    waiting.push(...namesOfSource(partial));
  }
  return used;
}

function layoutsOf(name: string | null, own: Own, byName: ReadonlyMap<string, FoundSource>): FoundSource[] {
  const layouts: FoundSource[] = [];
  for (let next = name; next !== null; ) {
    const layout = byName.get(next);
    if (next === own.id || next === own.alias || (layout !== undefined && layouts.includes(layout))) {
      throw unacceptable('layout', 'The layout stands inside itself.');
    }
    if (layout === undefined) {
      const kind = isUuid(next) ? 'id' : 'alias';
      throw unacceptable('layout', `There is no published template with the ${kind} ${next} in this workspace.`);
    }
    layouts.push(layout);
    next = layout.layout;
  }
  return layouts;
}

interface Paths {
  read: string[];
  required: string[];
}

type Parts = Pick<TemplateContent, 'subject' | 'preheader' | 'html' | 'text'>;

/** The variables that texts ask for, with those of their layouts and partials. */
export const readVariables = async (content: Parts, pinned: Pinned): Promise<TemplateVariable[]> =>
  variablesOf([], await readParts(content, pinned));

async function readParts(content: Parts, pinned: Pinned, own?: Own): Promise<Paths> {
  const paths: Paths = { read: [], required: [] };
  const add = async (field: 'subject' | 'preheader' | 'html' | 'text'): Promise<void> => {
    const source = content[field];
    if (source === null) return;
    try {
      const { paths: read, requiredPaths } = await (field === 'html' || field === 'text'
        ? parseBundle(bundleOf(source, pinned, field), field)
        : parseTemplate(source, 'subject'));
      paths.read.push(...read.map((path) => path.join('.')));
      paths.required.push(...requiredPaths.map((path) => path.join('.')));
    } catch (error) {
      throw asFault(error, field, own);
    }
  };
  for (const field of ['subject', 'preheader', 'html', 'text'] as const) await add(field);
  return paths;
}

function asFault(error: unknown, field: string, own?: Own): unknown {
  if (!(error instanceof TemplateError)) return error;
  const name = /There is no published template "(.*)" to render/s.exec(error.message)?.[1];
  const isItself = name !== undefined && (name === own?.id || name === own?.alias);
  return unacceptable(field, isItself ? `${field}: The template stands inside itself.` : `${field}: ${error.message}`);
}

/** The declared ones win; the rest was found. A root is left out where its fields are listed. */
function variablesOf(declared: readonly DeclaredVariable[], { read, required }: Paths): TemplateVariable[] {
  const variables = new Map<string, TemplateVariable>();
  for (const key of new Set(read)) {
    variables.set(key, { key, type: 'string', required: required.includes(key), fallback: null });
  }
  for (const { key, type, required: asked, fallback } of declared) {
    const isRequired = asked ?? ((fallback ?? null) === null && variables.get(key)?.required === true);
    variables.set(key, { key, type, required: isRequired, fallback: fallback ?? null });
  }
  return [...variables.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** 422 that names every sample that does not render. */
export async function requireSamples(content: TemplateContent, { variables, pinned }: PinnedTemplate): Promise<void> {
  const failures: string[] = [];
  for (const [index, sample] of content.samples.entries()) {
    try {
      await renderTemplate({ ...content, variables, pinned }, sample.variables, { strict: true });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failures.push(`samples[${index}] (${sample.name}) does not render: ${error.message}`);
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  throw new AppError('validation_error', first, {
    param: /^samples\[\d+\]/.exec(first)?.[0] ?? 'samples',
    unacceptable: true,
    ...(failures.length > 1 ? { details: failures } : {}),
  });
}
