import { type DrawnPiece, parseBody, parseTemplate, textOfPieces } from '#features/templates';
import { frameHtml } from '#mail/frame/frame-html.ts';
import type { LongWay } from '#mail/merge/compile-merge.ts';
import { htmlToText } from '#mail/message/html-to-text.ts';
import { createSlotReader, filledFrame, type SlotValues } from './frame-slots.ts';
import type { Frame, PersonalContent } from './personal-content.ts';
import { UnfitContent } from './unfit-content.ts';

/** The texts of a send as they are stored. */
export interface StoredTexts {
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

/** The texts of one recipient's message as the author's templates give them, before their frame. */
export interface DrawnTexts {
  subject: string;
  html: readonly DrawnPiece[];
  /** null: made from the html. */
  text: readonly DrawnPiece[] | null;
  slots: SlotValues;
}

/**
 * Reads the texts of a bulk send once; the function draws them for one recipient, any number of times. Both throw
 * TemplateError for what is wrong with the texts.
 */
export async function createDrawer(
  texts: StoredTexts,
  { liquid, pinned, preheader, frame }: PersonalContent,
): Promise<(variables: Variables) => DrawnTexts> {
  const slotsOf = createSlotReader(frame);
  if (!liquid) {
    const html = [texts.html ?? ''];
    const text = texts.text === null ? null : [texts.text];
    return (variables) => ({ subject: texts.subject, html, text, slots: slotsOf(variables) });
  }
  const [subjectOf, htmlOf, textOf, preheaderOf] = await Promise.all([
    parseTemplate(texts.subject, 'subject'),
    parseBody(texts.html ?? '', pinned ?? null, 'html'),
    texts.text === null ? null : parseBody(texts.text, pinned ?? null, 'text'),
    preheader === null ? null : parseTemplate(preheader, 'subject'),
  ]);
  return (variables) => {
    const subject = subjectOf.render(variables);
    if (subject === '') throw new UnfitContent('The subject is empty for this subscriber.');
    const slots = slotsOf({ ...variables, preheader: preheaderOf?.render(variables) ?? '' });
    return { subject, html: htmlOf.draw(variables), text: textOf?.draw(variables) ?? null, slots };
  };
}

/** The same, rendered whole. Throws RefusedHtml as well. */
export async function createRenderer(
  texts: StoredTexts,
  personal: PersonalContent,
): Promise<(variables: Variables) => RenderedContent> {
  const draw = await createDrawer(texts, personal);
  return (variables) => {
    const drawn = draw(variables);
    const { html, text } = renderDrawn(drawn, personal.frame);
    return { subject: drawn.subject, html, text };
  };
}

/** Html and text of what was drawn, with the frame around them. */
export const renderDrawn = ({ html, text, slots }: DrawnTexts, frame: Frame): LongWay =>
  framed(textOfPieces(html), text === null ? null : textOfPieces(text), filledFrame(frame, slots));

/** Html and text with the frame around them. */
export const framed = (html: string, text: string | null, frame: Frame): LongWay => ({
  html: frameHtml(html, frame.html),
  text: `${(text ?? htmlToText(html)).trimEnd()}\n\n${frame.text.after}`.trimStart(),
  textFrom: text === null ? html : null,
});
