import type {
  Template,
  TemplateVariable,
  UpdateTemplateRequest,
  UpdateTemplateRequestVariable,
} from '../../../api/generated/types.gen.ts';
import { ownEntry } from '../../../lib/own-entry.ts';

export type VariableType = TemplateVariable['type'];
export const VARIABLE_TYPES: readonly VariableType[] = ['string', 'number', 'boolean', 'list', 'object'];

export interface VariableValues {
  key: string;
  type: VariableType;
  required: boolean;
  /** Text of a string, JSON of all else; empty: none. */
  fallback: string;
}

export interface SampleValues {
  name: string;
  json: string;
}

/** The fields of a template as a form has them. */
export interface TemplateValues extends Record<string, unknown> {
  name: string;
  alias: string;
  subject: string;
  preheader: string;
  html: string;
  text: string;
  from: string;
  /** Addresses with commas between them. */
  reply_to: string;
  layout: string;
  /** Variables that the person has said more of than the text does. */
  variables: VariableValues[];
  samples: SampleValues[];
}

export const valuesOfVariable = ({ key, type, required, fallback }: TemplateVariable): VariableValues => ({
  key,
  type,
  required,
  fallback: shownFallback(fallback),
});

const shownFallback = (fallback: unknown): string =>
  fallback === null ? '' : typeof fallback === 'string' ? fallback : JSON.stringify(fallback);

export const valuesOfTemplate = (template: Template): TemplateValues => ({
  name: template.name,
  alias: template.alias ?? '',
  subject: template.subject ?? '',
  preheader: template.preheader ?? '',
  html: template.html ?? '',
  text: template.text ?? '',
  from: template.from ?? '',
  reply_to: template.reply_to.join(', '),
  layout: template.layout ?? '',
  variables: template.variables.filter(({ declared }) => declared).map(valuesOfVariable),
  samples: template.samples.map(({ name, variables }) => ({ name, json: JSON.stringify(variables, null, 2) })),
});

/** Faults that keep the form from being sent, by the path of the field. */
export function faultsOfTemplate(values: TemplateValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [index, { type, fallback }] of values.variables.entries()) {
    if (type !== 'string' && fallback.trim() !== '' && readJson(fallback) === undefined) {
      faults[`variables.${index}.fallback`] = 'This is not JSON.';
    }
  }
  for (const [index, { json }] of values.samples.entries()) {
    if (readVariables(json) === undefined) {
      faults[`samples.${index}.json`] = 'This is not an object in JSON, such as {"name": "Ada"}.';
    }
  }
  return faults;
}

const readJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** The variables of a sample; undefined when the text is no object. */
export function readVariables(json: string): Record<string, unknown> | undefined {
  const value = readJson(json.trim() === '' ? '{}' : json)?.value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** The samples that can be read, with their data. */
export const readSamples = (samples: readonly SampleValues[]): { name: string; variables: Record<string, unknown> }[] =>
  samples.flatMap(({ name, json }) => {
    const variables = readVariables(json);
    return variables === undefined ? [] : [{ name, variables }];
  });

/** Only the fields that the person has changed, so that all else stays byte for byte. */
export function changeOfTemplate(values: TemplateValues, saved: Template): UpdateTemplateRequest {
  const before = valuesOfTemplate(saved);
  const isChanged = (field: string): boolean => JSON.stringify(values[field]) !== JSON.stringify(before[field]);
  const change: UpdateTemplateRequest = {};
  if (isChanged('name')) change.name = values.name.trim();
  if (isChanged('alias')) change.alias = orNull(values.alias);
  for (const field of ['subject', 'preheader', 'html', 'text'] as const) {
    if (isChanged(field)) change[field] = values[field];
  }
  if (isChanged('from')) change.from = orNull(values.from);
  if (isChanged('reply_to')) change.reply_to = addressesOf(values.reply_to);
  if (isChanged('layout')) change.layout = orNull(values.layout);
  if (isChanged('variables')) change.variables = values.variables.map((one) => bodyOfVariable(one, saved));
  if (isChanged('samples')) {
    change.samples = values.samples.map(({ name, json }) => ({ name, variables: readVariables(json) ?? {} }));
  }
  return change;
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Commas separate addresses, unless they stand in the quotes of a name. */
const addressesOf = (text: string): string[] =>
  (text.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []).map((one) => one.trim()).filter((one) => one !== '');

function bodyOfVariable({ key, type, required, fallback }: VariableValues, saved: Template) {
  const body: UpdateTemplateRequestVariable = { key, type, required };
  const before = saved.variables.find((one) => one.key === key);
  if (before !== undefined && before.type === type && shownFallback(before.fallback) === fallback) {
    return { ...body, fallback: before.fallback };
  }
  if (fallback.trim() === '') return { ...body, fallback: null };
  return { ...body, fallback: type === 'string' ? fallback : (readJson(fallback)?.value ?? null) };
}

/** Data for a new sample: every variable with a value of its type. */
export function sampleOf(variables: readonly TemplateVariable[]): string {
  const data: Record<string, unknown> = {};
  for (const { key, type } of variables) {
    let place = data;
    const names = key.split('.');
    for (const name of names.slice(0, -1)) {
      const inner = ownEntry(place, name);
      const next: Record<string, unknown> = isRecord(inner) ? inner : {};
      place[name] = next;
      place = next;
    }
    const last = names.at(-1) ?? key;
    if (!isRecord(ownEntry(place, last))) place[last] = EXAMPLES[type](last);
  }
  return JSON.stringify(data, null, 2);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const EXAMPLES: Readonly<Record<VariableType, (name: string) => unknown>> = {
  string: (name) => name,
  number: () => 1,
  boolean: () => true,
  list: () => [],
  object: () => ({}),
};
