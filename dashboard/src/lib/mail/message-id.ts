const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A Message-ID of Posthorn begins with the id of its email. */
const OWN = /^<?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})@[^\s<>@]+>?$/i;
/** Amazon SES puts its own id in front of its host: `<0100…-000000@eu-west-1.amazonses.com>`. */
const OF_SES = /^<?[^\s<>@]+@(?:[a-z0-9-]+\.)?amazonses\.com>?$/i;
const ID_OF_SES = /^[0-9a-f]{16}-[0-9a-f-]{36}-\d{6}$/i;
const IN_BRACKETS = /^<[^\s<>@]+@[^\s<>@]+>$/;

/** The email that an id or a Message-ID names: by Posthorn's id, or by that of the provider. */
export function readMessageId(text: string): { id: string } | { providerId: string } | undefined {
  const id = UUID.test(text) ? text : OWN.exec(text)?.[1];
  if (id !== undefined) return { id: id.toLowerCase() };
  return OF_SES.test(text) || ID_OF_SES.test(text) || IN_BRACKETS.test(text) ? { providerId: text } : undefined;
}

/** Mail servers give short ids of letters and digits: such a text may be one, or a word. */
export const mayBeProviderId = (text: string): boolean => /^[A-Za-z0-9._:-]{6,200}$/.test(text);
