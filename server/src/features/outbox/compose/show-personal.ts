import { TemplateError } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import type { PersonalContent, PersonalRecipient } from './personal-content.ts';
import { createRenderer, type RenderedContent } from './render-personal.ts';
import { UnfitContent } from './unfit-content.ts';

/** The message of one recipient of a bulk send, before tracking; null when it cannot be made for them. */
export async function showPersonal(
  texts: { subject: string; html: string | null; text: string | null },
  personal: PersonalContent,
  { variables }: Pick<PersonalRecipient, 'variables'>,
): Promise<RenderedContent | null> {
  try {
    return (await createRenderer(texts, personal))(variables);
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RefusedHtml || error instanceof UnfitContent) return null;
    throw error;
  }
}
