import { createRenderer, type PersonalContent } from '#features/outbox';
import { TemplateError } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Composition, Reader } from './composition.ts';
import { previewLinks } from './made-up-readers.ts';
import { SUBJECT_CHARS_MAX, subjectTooLong } from './refuse-texts.ts';

/** The texts that are stored once for all readers, and how each reader's own message is made of them. */
export interface ComposedTexts {
  texts: { subject: string; html: string; text: string | null };
  personal: PersonalContent;
}

/** The message that one reader would get, before tracking. Left out, the links lead nowhere. Throws as compose does. */
export async function renderFor(
  composition: Composition,
  { texts, personal }: ComposedTexts,
  reader: Reader,
  links = previewLinks(composition),
): Promise<RenderedMail> {
  try {
    const rendered = (await createRenderer(texts, personal))(composition.variablesOf(reader, links));
    if (rendered.subject.length > SUBJECT_CHARS_MAX) throw subjectTooLong();
    return rendered;
  } catch (error) {
    if (error instanceof RefusedHtml || error instanceof TemplateError)
      throw unacceptable(composition.names.html, error.message);
    throw error;
  }
}
