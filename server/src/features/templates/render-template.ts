import { unacceptable } from '#platform/errors/app-error.ts';
import { bundleOf } from './body-bundle.ts';
import type { Renderable, TemplateVariable, VariableType } from './stored-template.ts';
import { parseBundle, parseTemplate, type Template } from './engine/template.ts';
import { TemplateError } from './engine/template-error.ts';

export interface RenderedTemplate {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
  /** Required variables that were not given. */
  missing: string[];
}

export type Variables = Readonly<Record<string, unknown>>;
type Render = (variables: Variables, options: { strict: boolean }) => RenderedTemplate;

const PARTS = ['subject', 'preheader', 'html', 'text'] as const;

/**
 * Reads a version once; the function renders it, any number of times. Previews, tests and sends all use it. 422 names
 * a required variable that is missing (`variables.name`, unless it is not strict) or the field that cannot be rendered.
 */
export async function templateRenderer(given: Omit<Renderable, 'from' | 'replyTo'>): Promise<Render> {
  const { pinned, variables: asked } = given;
  const [subject, preheader, html, text] = await Promise.all([
    given.subject === null ? null : parsed('subject', parseTemplate(given.subject, 'subject')),
    given.preheader === null ? null : parsed('preheader', parseTemplate(given.preheader, 'subject')),
    given.html === null ? null : parsed('html', parseBundle(bundleOf(given.html, pinned, 'html'), 'html')),
    given.text === null ? null : parsed('text', parseBundle(bundleOf(given.text, pinned, 'text'), 'text')),
  ]);
  const parts = { subject, preheader, html, text };
  return (variables, { strict }) => {
    const { values, missing } = fallbacksOf(asked, variables);
    if (strict) refuseMissing(missing);
    if (strict) refuseOtherTypes(asked, values);
    const rendered: RenderedTemplate = { subject: null, preheader: null, html: null, text: null, missing };
    for (const part of PARTS) rendered[part] = renderPart(part, parts[part], values);
    return rendered;
  };
}

export const renderTemplate = async (
  given: Omit<Renderable, 'from' | 'replyTo'>,
  variables: Variables,
  options: { strict: boolean },
): Promise<RenderedTemplate> => (await templateRenderer(given))(variables, options);

async function parsed(field: string, reading: Promise<Template>): Promise<Template> {
  try {
    return await reading;
  } catch (error) {
    throw faultOf(error, field);
  }
}

function renderPart(field: string, template: Template | null, values: Variables): string | null {
  try {
    return template?.render(values) ?? null;
  } catch (error) {
    throw faultOf(error, field);
  }
}

const faultOf = (error: unknown, field: string): unknown =>
  error instanceof TemplateError ? unacceptable(field, `${field}: ${error.message}`) : error;

function refuseMissing([first, ...others]: readonly string[]): void {
  if (first === undefined) return;
  const all = [first, ...others].slice(0, 20).map((key) => `variables.${key}`);
  throw unacceptable(
    `variables.${first}`,
    others.length === 0
      ? `variables.${first} is required by the template.`
      : `${all.join(', ')} are required by the template.`,
  );
}

const FITS: Readonly<Record<VariableType, (value: unknown) => boolean>> = {
  string: (value) => ['string', 'number', 'boolean'].includes(typeof value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: (value) => typeof value === 'object' && !Array.isArray(value),
};

/** Only of variables whose type their author has declared as another than text. */
function refuseOtherTypes(asked: readonly TemplateVariable[], values: Variables): void {
  for (const { key, type } of asked) {
    if (type === 'string') continue;
    const value = valueAt(values, key.split('.'));
    if (value === undefined || value === null || FITS[type](value)) continue;
    throw unacceptable(`variables.${key}`, `variables.${key} must be of the type ${type}.`);
  }
}

/** The variables with fallbacks in the places of those that are not given. */
export function fallbacksOf(
  asked: readonly TemplateVariable[],
  given: Variables,
): { values: Variables; missing: string[] } {
  const missing: string[] = [];
  let values = given;
  for (const { key, required, fallback } of asked) {
    if (!required && (fallback ?? null) === null) continue;
    const path = key.split('.');
    const value = valueAt(values, path);
    if (value !== undefined && value !== null) continue;
    if ((fallback ?? null) !== null) values = withValue(values, path, fallback);
    else missing.push(key);
  }
  return { values, missing };
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const name of path) {
    if (typeof value === 'string' || Array.isArray(value)) return sizeOf(value, name);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object(value)[name];
  }
  return value;
}

/** Liquid has these of texts and lists. */
const sizeOf = (value: string | unknown[], name: string): unknown =>
  name === 'size' ? value.length : name === 'first' ? value[0] : name === 'last' ? value.at(-1) : undefined;

function withValue(values: unknown, [name = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const record: Record<string, unknown> = { ...Object(values) };
  Object.defineProperty(record, name, {
    value: rest.length === 0 ? value : withValue(record[name], rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return record;
}
