const CR = 0x0d;
const LF = 0x0a;
/** `Received`, blanks and the colon. */
const NAME_CHARS_MAX = 32;

/**
 * Whether a CR or LF stands alone. Servers that read such a line end as one could be made to see two messages in it
 * (SMTP smuggling), so mail with it is refused, as our relay does.
 */
export function hasBareLineEnd(raw: Buffer): boolean {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) if (raw[at - 1] !== CR) return true;
  for (let at = raw.indexOf(CR); at !== -1; at = raw.indexOf(CR, at + 1)) if (raw[at + 1] !== LF) return true;
  return false;
}

const RECEIVED = /^received[ \t]*:/i;

/** The servers that a message has passed. However large its header is: a message that goes round grows. */
export function hopsOf(raw: Buffer): number {
  let hops = 0;
  for (let at = 0; at < raw.length; ) {
    const newline = raw.indexOf(LF, at);
    const end = newline === -1 ? raw.length : newline;
    if (end === at || (end === at + 1 && raw[at] === CR)) break;
    if (RECEIVED.test(raw.toString('latin1', at, Math.min(end, at + NAME_CHARS_MAX)))) hops += 1;
    at = end + 1;
  }
  return hops;
}
