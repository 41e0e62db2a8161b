import type { Picture } from '../../../lib/blocks/document.ts';
import { isOfAnotherServer, shownAddress, wordsForElsewhere } from '../../../lib/mail/own-picture.ts';

/** A picture with the attributes that the editor gives it (`nodes/schema.ts`), which its styles read. */
export function PictureFallback({ src, alt, width, ratio, decorative, align }: Picture['attrs']) {
  const silent = alt === '' && !decorative ? { 'data-silent': '' } : {};
  if (isOfAnotherServer(src))
    return <figure data-align={align} data-elsewhere={wordsForElsewhere(src, alt)} {...silent} />;
  const size = width === null ? {} : { width, ...(ratio === null ? {} : { height: Math.round(width * ratio) }) };
  return (
    <figure data-align={align} {...silent}>
      <img src={shownAddress(src)} alt={alt} {...size} />
    </figure>
  );
}
