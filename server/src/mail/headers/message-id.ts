/** Message-IDs: ours are made from the email's id, so they are unique and the same on every attempt. */

const idCharsMax = 250;
// RFC 5322 §3.6.4 without its obsolete and quoted forms.
const messageId = /^<[^\x00-\x20\x7f-\uffff<>@]+@[^\x00-\x20\x7f-\uffff<>@]+>$/;

export function messageIdOf(emailId: string, domain: string): string {
  return `<${emailId}@${domain}>`;
}

/** Reads a Message-ID a customer refers to, with or without its angle brackets; undefined when it is none. */
export function parseMessageId(text: string): string | undefined {
  if (text.length > idCharsMax) return undefined;
  const bracketed = text.startsWith('<') ? text : `<${text}>`;
  return messageId.test(bracketed) ? bracketed : undefined;
}

/** The value of References or In-Reply-To: ids with single spaces between them; undefined when it is anything else. */
export function parseMessageIds(text: string): string | undefined {
  const ids = text.split(' ').filter((id) => id !== '');
  return ids.length > 0 && ids.every((id) => id.length <= idCharsMax && messageId.test(id)) ? ids.join(' ') : undefined;
}
