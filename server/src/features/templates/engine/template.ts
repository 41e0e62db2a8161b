import { LRUCache } from 'lru-cache';
import { type DrawnPiece, textOfPieces } from './drawn-piece.ts';
import type { Engine } from './liquid-engine.ts';
import type { Chain } from './paths.ts';
import { ownData, type TemplateRecord } from './template-data.ts';
import { overLimit, TEMPLATE_LIMITS } from './template-error.ts';

/** The result of a template: in html, outputs are escaped unless they end with `| raw`; a subject has one line. */
export type TemplateKind = 'html' | 'text' | 'subject';

/** A template that was read; may be rendered any number of times, by anybody at once. */
export interface Template {
  /** Renders with these variables, of which only plain data is seen. Throws TemplateError. */
  render(variables: Readonly<Record<string, unknown>>): string;
  /** The same in pieces, with outputs apart. A subject becomes one line only in `render`. */
  draw(variables: Readonly<Record<string, unknown>>): DrawnPiece[];
  /** Paths of records that it makes text of, which print nothing: `subscriber.metadata.city`. Throws TemplateError. */
  recordsShown(variables: Readonly<Record<string, unknown>>): readonly string[];
  /** The variables that it reads: `['subscriber', 'name']`, each once. */
  readonly paths: readonly (readonly string[])[];
  /** The variables that it prints whatever the others are. */
  readonly requiredPaths: readonly (readonly string[])[];
}

/** A template with everything that it is made of. */
export interface TemplateBundle {
  /** The template itself, then the layouts around it: each has a place for what is inside, `{{ content }}`. */
  readonly sources: readonly string[];
  /** The templates that `{% render 'name' %}` finds, by their names. */
  readonly partials: Readonly<Record<string, string>>;
}

const KEPT = 200;
const KEPT_CHARS = 4 * 1024 * 1024;
const kept = new LRUCache<string, Template>({ max: KEPT, maxSize: KEPT_CHARS });

/** Whether a text has anything that Liquid would read; without it, it is rendered by leaving it as it is. */
export const hasLiquid = (source: string): boolean => source.includes('{{') || source.includes('{%');

/**
 * Reads a template, or finds it among those read lately. Throws TemplateError with the line and a sentence. The engine
 * is loaded with the first one: a process that renders nothing does not carry it.
 */
export async function parseTemplate(source: string, kind: TemplateKind): Promise<Template> {
  return readOnce(`${kind} ${source}`, [source], async () => {
    const engine = await engineFor(kind, false);
    const chain = engine.parse([source], new Map());
    return hasLiquid(source) ? read(engine, chain, kind) : plainTemplate(source, kind);
  });
}

/** The same for a template with its layouts and partials. */
export async function parseBundle({ sources, partials }: TemplateBundle, kind: TemplateKind): Promise<Template> {
  const named = Object.entries(partials);
  const name = `bundle ${kind} ${JSON.stringify([sources, named])}`;
  return readOnce(name, [...sources, ...Object.values(partials)], async () => {
    const engine = await engineFor(kind, true);
    return read(engine, engine.parse(sources, new Map(named)), kind);
  });
}

async function readOnce(name: string, sources: readonly string[], make: () => Promise<Template>): Promise<Template> {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const sum = (count: (source: string) => number): number => sources.reduce((all, one) => all + count(one), 0);
  if (sum((source) => source.length) > TEMPLATE_LIMITS.sourceChars) throw overLimit('sourceChars');
  if (sum(tagsIn) > TEMPLATE_LIMITS.tags) throw overLimit('tags');
  const template = await make();
  kept.set(name, template, { size: name.length });
  return template;
}

/** Before that the mean says more about a process that has just started than about the template. */
const MEAN_AFTER = 20;
/** Later, one rendering in so many is timed: asking for the time costs as much as a small template. */
const TIMED_EACH = 16;

function read(engine: Engine, chain: Chain, kind: TemplateKind): Template {
  let renderings = 0;
  let timed = 0;
  let spentMs = 0;
  const measured = (data: TemplateRecord): DrawnPiece[] => {
    if (timed >= MEAN_AFTER && spentMs > timed * TEMPLATE_LIMITS.meanCpuMs) throw overLimit('meanCpuMs');
    renderings += 1;
    if (renderings > MEAN_AFTER && renderings % TIMED_EACH !== 0) return engine.draw(chain, data);
    const started = process.threadCpuUsage();
    try {
      return engine.draw(chain, data);
    } finally {
      const { user, system } = process.threadCpuUsage(started);
      timed += 1;
      // A pause of the host can count as time of the thread: one rendering must not spend the whole mean.
      spentMs += Math.min((user + system) / 1_000, TEMPLATE_LIMITS.cpuMs);
    }
  };
  return {
    paths: engine.pathsOf(chain),
    requiredPaths: engine.requiredPathsOf(chain),
    draw: (variables) => measured(ownData(variables)),
    recordsShown(variables) {
      const shown = new Set<string>();
      measured(ownData(variables, (path) => shown.add(path.join('.').replaceAll('.[]', '[]'))));
      return [...shown];
    },
    render(variables) {
      const text = textOfPieces(measured(ownData(variables)));
      return kind === 'subject' ? oneLine(text) : text;
    },
  };
}

/** Without tags there is nothing to render, and nothing that takes time. */
function plainTemplate(source: string, kind: TemplateKind): Template {
  const text = kind === 'subject' ? oneLine(source) : source;
  return { paths: [], requiredPaths: [], render: () => text, draw: () => [text], recordsShown: () => [] };
}

/** Line by line: a pattern that looks for spaces on both sides of a break takes time by their square. */
const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

function tagsIn(source: string): number {
  let count = 0;
  for (let at = source.indexOf('{'); at !== -1; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1];
    if (next === '{' || next === '%') count += 1;
  }
  return count;
}

const engines = new Map<string, Promise<Engine>>();

function engineFor(kind: TemplateKind, partials: boolean): Promise<Engine> {
  const escaped = kind === 'html';
  const name = JSON.stringify([escaped, partials]);
  const known = engines.get(name);
  if (known !== undefined) return known;
  const loading = import('./liquid-engine.ts').then(({ createEngine }) => createEngine({ escaped, partials }));
  engines.set(name, loading);
  return loading;
}
