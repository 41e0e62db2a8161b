/**
 * The content type of an attachment, rebuilt from its parts so that nothing else can ride along.
 *
 * `message/*` and `multipart/*` are sent as application/octet-stream: a part of such a type has a structure that
 * readers and scanners descend into, and base64 is not even allowed for it (RFC 2045 §6.4).
 */
import { detectMimeType } from 'nodemailer/lib/mime-funcs';

const charsMax = 200;
const opaque = 'application/octet-stream';
const mediaType = /^([A-Za-z0-9!#$&^_.+-]{1,63}\/[A-Za-z0-9!#$&^_.+-]{1,63}) *(?:;|$)/;
const parameter = /; *([A-Za-z0-9!#$&^_.+-]{1,63})=([A-Za-z0-9!#$&^_.+-]{1,100}|"[A-Za-z0-9 !#$&^_.+:/=-]{0,100}") */y;
/** Parameters with a meaning of their own in our part headers. */
const ownParameters = new Set(['name', 'filename', 'boundary']);

/** The type as it will be sent (guessed from the file name when none is given); undefined when it is malformed. */
export function attachmentType(text: string | null | undefined, filename: string): string | undefined {
  if (text === null || text === undefined || text === '') {
    return guard(detectMimeType(filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()));
  }
  if (text.length > charsMax) return undefined;
  const type = mediaType.exec(text)?.[1]?.toLowerCase();
  if (type === undefined) return undefined;
  let parameters = '';
  const rest = text.slice(type.length).replace(/^ +/, '');
  parameter.lastIndex = 0;
  while (parameter.lastIndex < rest.length) {
    const [, name = '', value = ''] = parameter.exec(rest) ?? [];
    if (name === '') return undefined;
    if (!ownParameters.has(name.toLowerCase())) parameters += `; ${name.toLowerCase()}=${value}`;
  }
  return guard(type) === opaque ? opaque : type + parameters;
}

function guard(type: string): string {
  return /^(?:message|multipart)\//i.test(type) ? opaque : type;
}
