import type { TemplateValues } from './template-form.ts';

export interface KeptText {
  values: TemplateValues;
  /** Of the version that it was written over. */
  etag: string;
}

const keyOf = (id: string): string => `posthorn.template.${id}`;

/** Keeps what is not saved in this browser; null: all of it is. */
export function keepText(id: string, kept: KeptText | null): void {
  try {
    if (kept === null) localStorage.removeItem(keyOf(id));
    else localStorage.setItem(keyOf(id), JSON.stringify(kept));
  } catch {
    // A full store: the text then lives in the page alone, which asks before it is left.
  }
}

export function readKeptText(id: string): KeptText | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null');
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

const TEXTS = ['name', 'alias', 'subject', 'preheader', 'html', 'text', 'from', 'reply_to', 'layout'];

function isKept(value: unknown): value is KeptText {
  if (typeof value !== 'object' || value === null || !('values' in value) || !('etag' in value)) return false;
  const { values, etag } = value;
  if (typeof etag !== 'string' || typeof values !== 'object' || values === null) return false;
  const fields = Object.entries(values);
  const isText = (name: string): boolean => fields.some(([key, held]) => key === name && typeof held === 'string');
  const isList = (name: string): boolean => fields.some(([key, held]) => key === name && Array.isArray(held));
  return TEXTS.every(isText) && isList('variables') && isList('samples');
}
