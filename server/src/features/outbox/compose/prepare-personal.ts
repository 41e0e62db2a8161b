import { TemplateError } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import { compileMerge, type Merge, type Merging } from '#mail/merge/compile-merge.ts';
import {
  type MessageContent,
  type OpenContent,
  type PreparedContent,
  prepareContent,
  prepareOpenContent,
} from '#mail/message/message.ts';
import type { ContentTracking } from './content-tracking.ts';
import { shapeOf, withValues } from './drawn-shape.ts';
import type { CompiledShapes } from './merge-store.ts';
import type { PersonalContent, PersonalRecipient } from './personal-content.ts';
import { createDrawer, type DrawnTexts, framed, renderDrawn } from './render-personal.ts';
import type { ComposedSend } from './prepared-send.ts';
import { UnfitContent } from './unfit-content.ts';

/** A recipient of a bulk send, as its message is made. */
interface Reader {
  emailId: string;
  variables: PersonalRecipient['variables'];
}

/** Makes the message of one reader. */
type Make = (reader: Reader) => { content: PreparedContent; subject: string };

/** Texts that were compiled and encoded: only values and tokens are put into them. */
export interface MergedContent {
  accepts: Merge['accepts'];
  open: OpenContent<Merging>;
}

/** The content of a bulk send, and what making its messages needs. */
interface Making {
  content: MessageContent;
  personal: PersonalContent;
  tracking: ContentTracking | null;
  shapes: CompiledShapes<MergedContent>;
}

// A template that runs into its limits for one does so for nearly everybody: 100 ms each would hold up all other mail.
const OVER_LIMIT_MAX = 3;

/**
 * Content that is each recipient's own. Its templates are rendered for each. Their results are compiled once for all
 * recipients whose texts differ in values only (`mail/merge`). Everything else is framed, tracked and encoded for each:
 * a value may leave open what hides the rest.
 */
export async function preparePersonal(making: Making): Promise<ComposedSend['contentFor']> {
  const { personal } = making;
  const make = await makerOf(making);
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
async function makerOf(making: Making): Promise<Make | UnfitContent> {
  const { content, personal } = making;
  try {
    if (!personal.liquid) framed(content.html ?? '', content.text, personal.frame);
    return await merging(making);
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

async function merging(making: Making): Promise<Make> {
  const { content, personal, tracking, shapes } = making;
  const draw = await createDrawer(content, personal);
  return ({ emailId, variables }) => {
    const drawn = draw(variables);
    const { subject } = drawn;
    const shape = shapeOf(drawn, !personal.liquid);
    const merged =
      shape === undefined ? null : shapes.find(shape.key, () => compiled(making, drawn, shape.values.length));
    if (merged?.accepts(shape?.values ?? [])) {
      const merger = { values: shape?.values ?? [], trail: tracking?.trailOf(emailId) };
      return { content: merged.open.fill(merger, subject), subject };
    }
    const { html, text } = renderDrawn(drawn, personal.frame);
    const shown = tracking === null ? html : tracking.fill(html, emailId);
    return { content: prepareContent({ ...content, subject, html: shown, text }), subject };
  };
}

function compiled({ content, personal, tracking }: Making, drawn: DrawnTexts, count: number) {
  const render = (values: readonly string[]) => renderDrawn(withValues(drawn, values), personal.frame);
  const merge = mergeOrNone({ count, render, tracking: tracking?.merge ?? null });
  if (merge === undefined) return undefined;
  const text = merge.text.length === 0 ? null : merge.text;
  const open = prepareOpenContent({ ...content, html: merge.html, text });
  return { compiled: { accepts: merge.accepts, open }, bytes: open.bytes };
}

/** Html that is refused with some values is refused with those of its reader, with a sentence that names them. */
function mergeOrNone(source: Parameters<typeof compileMerge>[0]): Merge | undefined {
  try {
    return compileMerge(source);
  } catch (error) {
    if (error instanceof RefusedHtml) return undefined;
    throw error;
  }
}
