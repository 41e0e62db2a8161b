import { hasLiquid } from '#features/templates';
import { type ListFrame, listFrame } from '#mail/list-mail/list-frame.ts';
import type { Composition } from './composition.ts';

/**
 * The frame around the html and text. All readers have one document: a subject of variables is no title for it, and the
 * name of the list is. A preheader of variables is a slot, which is filled for each reader.
 */
export function frameOf({ written, list, frame }: Composition): ListFrame {
  const { words, viewUrl } = frame;
  return listFrame({
    language: frame.language,
    title: hasLiquid(written.subject) ? list.name : written.subject,
    mark: frame.mark,
    preheader: written.preheader !== null && hasLiquid(written.preheader) ? '{{ preheader }}' : written.preheader,
    footer: {
      reason: words.reason,
      sender: frame.sender,
      postalAddress: frame.postalAddress,
      links: [
        { label: words.unsubscribe, url: '{{ unsubscribe_url }}' },
        ...(words.preferences === null ? [] : [{ label: words.preferences, url: '{{ preferences_url }}' }]),
        ...(viewUrl === '' ? [] : [{ label: words.viewOnline, url: viewUrl }]),
      ],
    },
  });
}
