import { parseTemplate } from '#features/templates';
import { frameHtml } from '#mail/frame/frame-html.ts';
import { htmlToText } from '#mail/message/html-to-text.ts';
import { fillSlots } from './frame-slots.ts';
import type { Frame, PersonalContent } from './personal-content.ts';
import { UnfitContent } from './unfit-content.ts';

/** The texts of a send as they are stored. */
interface StoredTexts {
  subject: string;
  html: string | null;
  text: string | null;
}

/** The texts of one recipient's message, before tracking. */
export interface RenderedContent {
  subject: string;
  html: string;
  text: string;
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Reads the texts of a bulk send once; the function renders them for one recipient, any number of times. Both throw
 * TemplateError and RefusedHtml for what is wrong with the texts.
 */
export async function createRenderer(
  texts: StoredTexts,
  personal: PersonalContent,
): Promise<(variables: Variables) => RenderedContent> {
  if (!personal.liquid) {
    const { html, text } = framed(texts, personal.frame);
    return (variables) => ({
      subject: texts.subject,
      html: fillSlots(html, variables, 'html'),
      text: fillSlots(text, variables, 'text'),
    });
  }
  const [subjectOf, htmlOf, textOf, preheaderOf] = await Promise.all([
    parseTemplate(texts.subject, 'subject'),
    parseTemplate(texts.html ?? '', 'html'),
    texts.text === null ? null : parseTemplate(texts.text, 'text'),
    personal.preheader === null ? null : parseTemplate(personal.preheader, 'subject'),
  ]);
  return (variables) => {
    const subject = subjectOf.render(variables);
    if (subject === '') throw new UnfitContent('The subject is empty for this subscriber.');
    const filled = filledFrame(personal.frame, { ...variables, preheader: preheaderOf?.render(variables) ?? '' });
    const html = htmlOf.render(variables);
    return { subject, ...framed({ html, text: textOf?.render(variables) ?? null }, filled) };
  };
}

/** Html and text with the frame around them. */
export const framed = ({ html, text }: Omit<StoredTexts, 'subject'>, frame: Frame): { html: string; text: string } => ({
  html: frameHtml(html ?? '', frame.html),
  text: `${(text ?? htmlToText(html ?? '')).trimEnd()}\n\n${frame.text.after}`.trimStart(),
});

/** The frame is filled before it goes around the html: what the html happens to hold is not touched. */
function filledFrame({ html, text }: Frame, variables: Variables): Frame {
  const fill = (part: string): string => fillSlots(part, variables, 'html');
  return {
    html: {
      before: fill(html.before),
      after: fill(html.after),
      preheader: fill(html.preheader),
      footer: fill(html.footer),
    },
    text: { after: fillSlots(text.after, variables, 'text') },
  };
}
