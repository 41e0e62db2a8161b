import {
  hasLiquid,
  parseBody,
  parseTemplate,
  type Pinned,
  type Template,
  TemplateError,
  type TemplateKind,
} from '#features/templates';
import { type AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { Composition } from './composition.ts';
import { madeUpReaders, previewLinks } from './made-up-readers.ts';

const BODY_CHARS_MAX = 2 * 1024 * 1024;
export const SUBJECT_CHARS_MAX = 998;

export interface Field {
  param: string;
  source: string;
  kind: TemplateKind;
  /** Of a body that comes of a stored template. */
  pinned?: Pinned | undefined;
}

/** Throws TemplateError. */
export const parseField = ({ source, kind, pinned }: Field): Promise<Template> =>
  kind === 'subject' ? parseTemplate(source, kind) : parseBody(source, pinned ?? null, kind);

/** The texts that may be templates; those that were left out are absent. */
export function fieldsOf({ written, names }: Pick<Composition, 'written' | 'names'>): Field[] {
  const fields: [param: string, source: string | null, kind: TemplateKind][] = [
    ['subject', written.subject, 'subject'],
    ['preheader', written.preheader, 'subject'],
    [names.html, written.html, 'html'],
    [names.text, written.text, 'text'],
  ];
  const { pinned } = written;
  return fields.flatMap(([param, source, kind]) => (source === null ? [] : [{ param, source, kind, pinned }]));
}

export const isLiquid = (composition: Pick<Composition, 'written' | 'names'>): boolean =>
  composition.written.pinned !== undefined || fieldsOf(composition).some(({ source }) => hasLiquid(source));

/** Throws (unacceptable) for a text that is missing or too large. */
export function refuseSizes({ written, names }: Composition): void {
  const { subject, html, text } = written;
  if (html.trim() === '') throw unacceptable(names.html, `The ${names.mail} has no body. Write one first.`);
  if (html.length > BODY_CHARS_MAX) throw unacceptable(names.html, 'The body is longer than 2 MB.');
  if ((text ?? '').length > BODY_CHARS_MAX) throw unacceptable(names.text, 'The text is longer than 2 MB.');
  if (subject.trim() === '') throw unacceptable('subject', `The ${names.mail} has no subject.`);
  if (subject.length > SUBJECT_CHARS_MAX) throw subjectTooLong();
}

/** Throws (unacceptable) for the first text that is no template. It may be a draft: more is not asked of it. */
export async function refuseBrokenLiquid(fields: readonly Field[]): Promise<void> {
  for (const { param, source, kind } of fields) {
    if (!hasLiquid(source)) continue;
    await parseTemplate(source, kind).catch((error: unknown) => {
      throw error instanceof TemplateError ? unacceptable(param, error.message) : error;
    });
  }
}

/** Throws (unacceptable) for the first text that is no template, or fails for a reader with or without a name. */
export async function refuseTemplates(composition: Composition): Promise<void> {
  for (const field of fieldsOf(composition)) {
    const { param } = field;
    try {
      const template = await parseField(field);
      for (const reader of madeUpReaders) {
        const variables = composition.variablesOf(reader, previewLinks(composition));
        if (template.render(variables) === '' && param === 'subject') throw emptySubject(composition);
      }
    } catch (error) {
      throw error instanceof TemplateError ? unacceptable(param, error.message) : error;
    }
  }
}

const emptySubject = ({ names }: Composition): AppError =>
  unacceptable('subject', `The subject is empty for ${names.readers} without a name. Give what it shows a default.`);

export const subjectTooLong = (): AppError =>
  unacceptable('subject', `The subject is longer than ${SUBJECT_CHARS_MAX} characters.`);
