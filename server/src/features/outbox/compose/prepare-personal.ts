import { TemplateError } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import {
  type MessageContent,
  type PreparedContent,
  prepareContent,
  prepareOpenContent,
} from '#mail/message/message.ts';
import type { Piece } from '#mail/message/message-body.ts';
import { fillTrackedHtml, type TrackedHtml, trackedPieces } from '#mail/tracking/tracked-html.ts';
import type { TrackedEmail } from '#mail/tracking/token.ts';
import type { TrackingUrls } from '#mail/tracking/tracking-urls.ts';
import { slotPieces } from './frame-slots.ts';
import type { PersonalContent, PersonalRecipient } from './personal-content.ts';
import { createRenderer, framed } from './render-personal.ts';
import type { ComposedSend } from './prepared-send.ts';
import { UnfitContent } from './unfit-content.ts';

/** A recipient of a bulk send, as its message is made. */
interface Reader extends TrackedEmail {
  variables: PersonalRecipient['variables'];
}

/** Makes the message of one reader. */
type Make = (reader: Reader) => { content: PreparedContent; subject: string };

type Track = (html: string) => TrackedHtml | null;

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
  track: Track,
  tracking: TrackingUrls | null,
): Promise<ComposedSend['contentFor']> {
  const make = await makerOf(content, personal, track, tracking);
  if (make instanceof UnfitContent) return () => make;
  let overLimits = 0;
  let lastOverLimit: UnfitContent | undefined;
  return ({ workspaceId, id }, recipient) => {
    if (recipient === undefined) return new UnfitContent('The subscriber is not there any more.');
    if (lastOverLimit !== undefined && overLimits >= OVER_LIMIT_MAX) return lastOverLimit;
    try {
      const made = make({ workspaceId, emailId: id, variables: recipient.variables });
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

function splicing(
  content: MessageContent,
  { frame }: PersonalContent,
  track: Track,
  tracking: TrackingUrls | null,
): Make {
  const { html, text } = framed(content, frame);
  const tracked = track(html);
  const pieces: Piece<TrackedEmail>[] =
    tracked === null || tracking === null ? [html] : trackedPieces(tracked, tracking);
  const open = prepareOpenContent<Reader>({
    ...content,
    html: pieces.flatMap((piece): Piece<Reader>[] => (typeof piece === 'string' ? slotPieces(piece, 'html') : [piece])),
    text: slotPieces(text, 'text'),
  });
  const { subject } = content;
  return (reader) => ({ content: open.fill(reader), subject });
}

async function rendering(
  content: MessageContent,
  personal: PersonalContent,
  track: Track,
  tracking: TrackingUrls | null,
): Promise<Make> {
  const render = await createRenderer(content, personal);
  return (reader) => {
    const { subject, html, text } = render(reader.variables);
    const tracked = track(html);
    const shown = tracked === null || tracking === null ? html : fillTrackedHtml(tracked, reader, tracking);
    return { content: prepareContent({ ...content, subject, html: shown, text }), subject };
  };
}
