import { TemplateError } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import {
  type MessageContent,
  type PreparedContent,
  prepareContent,
  prepareOpenContent,
} from '#mail/message/message.ts';
import type { Piece } from '#mail/message/open-body.ts';
import type { Tracked } from '#mail/tracking/tracked-html.ts';
import type { ContentTracking } from './content-tracking.ts';
import { slotPieces } from './frame-slots.ts';
import type { PersonalContent, PersonalRecipient } from './personal-content.ts';
import { createRenderer, framed } from './render-personal.ts';
import type { ComposedSend } from './prepared-send.ts';
import { UnfitContent } from './unfit-content.ts';

/** A recipient of a bulk send, as its message is made. */
interface Reader {
  emailId: string;
  variables: PersonalRecipient['variables'];
}

/** Makes the message of one reader. */
type Make = (reader: Reader) => { content: PreparedContent; subject: string };

// A template that runs into its limits for one does so for nearly everybody: 100 ms each would hold up all other mail.
const OVER_LIMIT_MAX = 3;

/**
 * Content that is each recipient's own. Without Liquid it is framed, tracked and encoded once, and each message only
 * has its links put in; with it, it is rendered and read again for each, because a value may leave open what hides
 * the rest.
 */
export async function preparePersonal(
  content: MessageContent,
  personal: PersonalContent,
  tracking: ContentTracking | null,
): Promise<ComposedSend['contentFor']> {
  const make = await makerOf(content, personal, tracking);
  if (make instanceof UnfitContent) return () => make;
  let overLimits = 0;
  let lastOverLimit: UnfitContent | undefined;
  return ({ id }, recipient) => {
    if (recipient === undefined) return new UnfitContent('The subscriber is not there any more.');
    if (lastOverLimit !== undefined && overLimits >= OVER_LIMIT_MAX) return lastOverLimit;
    try {
      const made = make({ emailId: id, variables: recipient.variables });
      overLimits = 0;
      return { ...made, headers: [...recipient.headers, ...personal.headers] };
    } catch (error) {
      if (!(error instanceof TemplateError || error instanceof RefusedHtml || error instanceof UnfitContent))
        throw error;
      const unfit = new UnfitContent(error.message);
      if (error instanceof TemplateError && error.limit !== null) {
        overLimits += 1;
        lastOverLimit = unfit;
      }
      return unfit;
    }
  };
}

/** A fault in the content itself affects every recipient. */
async function makerOf(...given: Parameters<typeof rendering>): Promise<Make | UnfitContent> {
  const [, { liquid }] = given;
  try {
    return liquid ? await rendering(...given) : splicing(...given);
  } catch (error) {
    return unfitOf(error);
  }
}

/** Whatever else goes wrong is not the content's fault: it is thrown on, and tried again. */
function unfitOf(error: unknown): UnfitContent {
  if (error instanceof UnfitContent) return error;
  if (error instanceof TemplateError || error instanceof RefusedHtml) return new UnfitContent(error.message);
  throw error;
}

function splicing(content: MessageContent, { frame }: PersonalContent, tracking: ContentTracking | null): Make {
  const { html, text } = framed(content, frame);
  const pieces = tracking === null ? [html] : tracking.piecesOf(html);
  type Own = Tracked & Pick<Reader, 'variables'>;
  const open = prepareOpenContent<Own>({
    ...content,
    html: pieces.flatMap((piece): Piece<Own>[] => (typeof piece === 'string' ? slotPieces(piece, 'html') : [piece])),
    text: slotPieces(text, 'text'),
  });
  const { subject } = content;
  return ({ emailId, variables }) => ({
    content: open.fill({ variables, trail: tracking?.trailOf(emailId) }),
    subject,
  });
}

async function rendering(
  content: MessageContent,
  personal: PersonalContent,
  tracking: ContentTracking | null,
): Promise<Make> {
  const render = await createRenderer(content, personal);
  return ({ emailId, variables }) => {
    const { subject, html, text } = render(variables);
    const shown = tracking === null ? html : tracking.fill(html, emailId);
    return { content: prepareContent({ ...content, subject, html: shown, text }), subject };
  };
}
