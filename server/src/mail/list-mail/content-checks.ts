/** Checks rendered mail for what mail programs, filters and readers stumble over. */
import { elementsOf, readTree } from '../frame/read-tree.ts';
import { checkBraces } from './check-braces.ts';
import { checkPictureHosts } from './check-picture-hosts.ts';
import { checkWidth } from './check-width.ts';
import { type Finding, fine, warning } from './finding.ts';

/** The mail that a recipient would get. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Gmail shows no more of a message, and hides its footer with the rest. */
const CLIPPED_BYTES = 102 * 1024;
/** The length of a subject that phones and most lists show. */
const SUBJECT_CHARS_SHOWN = 70;
const WORDS_THAT_FILTERS_COUNT =
  /\b(?:100% free|act now|buy now|cash bonus|click here|free money|guaranteed|make money|no risk|winner|viagra|casino)\b/i;
const KB = 1_024;

/**
 * `written`: the html as its author wrote it, whose images and links are looked at; ours are known. `bytes`: of the
 * html as it leaves. `ownUrl`: images of this server begin with it.
 */
export function checkContent(
  rendered: RenderedMail,
  { written, bytes, ownUrl }: { written: string; bytes: number; ownUrl: string },
): Finding[] {
  const { images, links } = thingsIn(written);
  return [
    ...checkSubject(rendered.subject),
    checkSize(bytes),
    ...checkImages(images, ownUrl),
    ...checkPictureHosts(
      images.map(({ src }) => src),
      ownUrl,
    ),
    ...checkWidth(written),
    ...checkBraces(rendered.html),
    checkLinks(links),
    checkText(written, rendered.text),
    checkPictureOnly(rendered.text, images.length),
    checkWords(`${rendered.subject} ${rendered.text}`),
  ];
}

interface Image {
  src: string;
  alt: string | undefined;
  /** Its author said that it says nothing: a role of presentation, or a line or dot of a few pixels. */
  isDecoration: boolean;
}

/** Lines, dots and the gaps between them. */
const DECORATION_PX_MAX = 32;

function thingsIn(html: string): { images: Image[]; links: string[] } {
  const images: Image[] = [];
  const links: string[] = [];
  for (const { tagName, attrs } of elementsOf(readTree(html).document)) {
    const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value;
    if (tagName === 'img') {
      const isSmall = ['width', 'height'].some((name) => Number.parseInt(value(name) ?? '', 10) <= DECORATION_PX_MAX);
      const isDecoration = isSmall || /^(?:presentation|none)$/i.test(value('role')?.trim() ?? '');
      images.push({ src: value('src') ?? '', alt: value('alt'), isDecoration });
    }
    const href = value('href');
    if (tagName === 'a' && href !== undefined) links.push(href.trim());
  }
  return { images, links };
}

function checkSubject(subject: string): Finding[] {
  const findings: Finding[] = [];
  const chars = Array.from(subject).length;
  const letters = subject.replace(/[^\p{L}]/gu, '');
  if (chars > SUBJECT_CHARS_SHOWN) {
    findings.push(
      warning('subject', `The subject has ${chars} characters; most inboxes show about ${SUBJECT_CHARS_SHOWN}.`),
    );
  }
  if (letters.length > 7 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()) {
    findings.push(warning('subject_capitals', 'The subject is written in capitals, which filters count against it.'));
  }
  if (/[!?]{3,}|\${2,}/.test(subject)) {
    findings.push(warning('subject_signs', 'The subject repeats ! or ?, which filters count against it.'));
  }
  if (/^(?:re|fwd?|aw|wg):/i.test(subject)) {
    findings.push(
      warning('subject_reply', 'The subject pretends to be an answer, which filters and readers hold against it.'),
    );
  }
  return findings.length > 0 ? findings : [fine('subject', 'The subject fits.')];
}

function checkSize(bytes: number): Finding {
  const shown = `The HTML is ${Math.ceil(bytes / KB)} KB`;
  return bytes > CLIPPED_BYTES
    ? warning('size', `${shown}; Gmail clips at 102 KB, and hides what follows with the link to unsubscribe.`)
    : fine('size', `${shown}; Gmail clips at 102 KB.`);
}

function checkImages(images: readonly Image[], ownUrl: string): Finding[] {
  const silent = images.filter(({ alt }) => alt === undefined).length;
  const empty = images.filter(({ alt, isDecoration }) => alt?.trim() === '' && !isDecoration).length;
  const inlined = images.filter(({ src }) => /^\s*data:/i.test(src)).length;
  // Of an address of this server that is http, `public_url` tells.
  const open = images.filter(({ src }) => /^\s*http:/i.test(src) && !src.startsWith(`${ownUrl}/`)).length;
  const findings: Finding[] = [];
  if (silent > 0) {
    findings.push(
      warning(
        'images',
        `${silent} of ${images.length} images ${silent === 1 ? 'has' : 'have'} no alt text: who does not load images, or cannot see them, gets nothing.`,
      ),
    );
  }
  if (empty > 0) {
    findings.push(
      warning(
        'images_empty_alt',
        `${empty} of ${images.length} images ${empty === 1 ? 'has' : 'have'} an empty alt text. Describe the picture, or mark it as decoration (in HTML: role="presentation").`,
      ),
    );
  }
  if (inlined > 0)
    findings.push(
      warning(
        'images_inline',
        `${countOf(inlined, 'image is', 'images are')} inside the HTML (data:); Gmail and Outlook show none.`,
      ),
    );
  if (open > 0)
    findings.push(warning('images_http', `${countOf(open, 'image is', 'images are')} loaded with http; use https.`));
  return findings.length > 0 ? findings : [fine('images', 'Every image has an alt text.')];
}

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const linksWhich = ({ length }: readonly string[], does: string, doMany: string): string =>
  countOf(length, `link ${does}`, `links ${doMany}`);

function checkLinks(links: readonly string[]): Finding {
  const open = links.filter((href) => /^http:/i.test(href));
  const empty = links.filter((href) => href === '' || href === '#');
  const relative = links.filter((href) => href !== '' && !/^(?:[a-z][a-z0-9+.-]*:|#|\{\{)/i.test(href));
  const [first] = [...relative, ...open];
  if (empty.length > 0) return warning('links', `${linksWhich(empty, 'leads', 'lead')} nowhere.`);
  if (relative.length > 0)
    return warning('links', `${linksWhich(relative, 'has', 'have')} no complete address, such as "${first}".`);
  if (open.length > 0) return warning('links', `${linksWhich(open, 'is', 'are')} not https, such as ${first}.`);
  // The links of the footer are the server's: `public_url` judges them.
  return fine('links', links.length === 0 ? 'Your HTML has no links.' : 'Every web link of your HTML is https.');
}

function checkText(written: string, text: string): Finding {
  // The html above the footer is the author's.
  const own = text.slice(0, Math.max(0, text.lastIndexOf('\n--\n'))).trim();
  if (own !== '' || written.trim() === '') return fine('text', 'It has a text part.');
  return warning('text', 'Its text part has nothing but the footer. Add text_body, or words to the HTML.');
}

function checkPictureOnly(text: string, images: number): Finding {
  const words = text.slice(0, Math.max(0, text.lastIndexOf('\n--\n'))).split(/\s+/).length;
  return images > 0 && words < 20
    ? warning('picture_only', 'It is nearly all images; filters count that against it.')
    : fine('picture_only', 'Words and images are in balance.');
}

function checkWords(all: string): Finding {
  const [word] = WORDS_THAT_FILTERS_COUNT.exec(all) ?? [];
  return word === undefined
    ? fine('words', 'None of the words that filters look for most.')
    : warning('words', `It says "${word}", which filters count against it.`);
}
