import { readHeaderSection } from './header-section.ts';
import { MimeError } from './mime-error.ts';

const CR = 0x0d;
const LF = 0x0a;

/**
 * Whether a CR or LF stands alone. Servers that read such a line end as one could be made to see two messages in it
 * (SMTP smuggling), so mail with it is refused, as our relay does.
 */
export function hasBareLineEnd(raw: Buffer): boolean {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) if (raw[at - 1] !== CR) return true;
  for (let at = raw.indexOf(CR); at !== -1; at = raw.indexOf(CR, at + 1)) if (raw[at + 1] !== LF) return true;
  return false;
}

/** The servers that a message has passed. */
export function hopsOf(raw: Buffer): number {
  try {
    const { fields } = readHeaderSection(raw, 0, raw.length);
    return fields.filter(({ name }) => name.toLowerCase() === 'received').length;
  } catch (error) {
    if (error instanceof MimeError) return 0;
    throw error;
  }
}
