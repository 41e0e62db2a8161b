import { type PersonalContent, plainContent } from '#features/outbox';
import { hasLiquid } from '#features/templates';
import { sharedHeaders } from '#mail/list-mail/list-headers.ts';
import { headerSizeProblem } from '#mail/message/message-headers.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Composition, Sender } from './composition.ts';
import { frameOf } from './frame-of.ts';
import { madeUpReaders } from './made-up-readers.ts';
import { isLiquid, refuseSizes, refuseTemplates } from './refuse-texts.ts';
import { type ComposedTexts, renderFor } from './render-for.ts';

/** Mail as it is stored once for all its recipients. */
export interface Composed {
  content: ReturnType<typeof plainContent>;
  personal: PersonalContent;
}

/**
 * Composes the mail, or throws (unacceptable) why it cannot be sent, with the field as its `param`: a text is missing,
 * too large, not acceptable or no good template. The result was rendered for readers with and without a name, so that
 * nothing of the mail itself can fail later.
 */
export async function compose(composition: Composition, sender: Sender): Promise<Composed> {
  const { texts, personal } = await composeTexts(composition, sender.domain.domain);
  const { from, domain, replyTo } = sender;
  const content = plainContent({
    ...texts,
    from,
    domain: { domain: domain.domain, domainId: domain.domainId },
    replyTo: [...replyTo],
    trackOpens: composition.tracking.opens,
    trackClicks: composition.tracking.clicks,
    tags: [...(composition.tags ?? [])],
  });
  const tooLarge = headerSizeProblem({ ...content, headers: {} }, { to: [from] });
  if (tooLarge !== null) throw unacceptable('subject', tooLarge);
  return { content, personal };
}

/** The texts and their frame; the list is named at `domain`. Throws as compose does. */
export async function composeTexts(composition: Composition, domain: string): Promise<ComposedTexts> {
  refuseSizes(composition);
  const { subject, preheader, html, text, pinned } = composition.written;
  const liquid = isLiquid(composition);
  const composed = {
    texts: { subject, html, text },
    personal: {
      liquid,
      ...(pinned === undefined ? {} : { pinned }),
      headers: sharedHeaders(composition.list, domain, composition.id),
      preheader: preheader !== null && hasLiquid(preheader) ? preheader : null,
      frame: frameOf(composition),
    },
  };
  if (liquid) await refuseTemplates(composition);
  for (const reader of madeUpReaders) await renderFor(composition, composed, reader);
  return composed;
}
