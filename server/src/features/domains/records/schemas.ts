import { type TSchema, Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';

export const DomainParams = Type.Object({
  id: Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] }),
});

/** Every answer about domains. */
export const wrapped = <T extends TSchema>(data: T, title: string) =>
  Type.Object({ success: Type.Literal(true), data, message: Type.String() }, { title, additionalProperties: false });

export const DnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT', 'MX'], { examples: ['TXT'] }),
    name: Type.String({ description: 'The whole name.', examples: ['posthorn1._domainkey.acme.example'] }),
    value: Type.String({ description: 'As one string. Of SPF: with the senders that the domain has already.' }),
    purpose: Type.Enum(['dkim', 'spf', 'mx', 'dmarc', 'inbound', 'bimi'], { examples: ['dkim'] }),
    status: Type.Enum(['pending', 'found', 'missing', 'mismatch', 'duplicate', 'temporary_failure'], {
      description: 'As the last check found it; `pending` before the first.',
      examples: ['found'],
    }),
    found_value: nullable(
      Type.String({ description: 'As it stands in the DNS; several are separated by line breaks.' }),
    ),
    hint: nullable(Type.String({ description: 'A remedy, or something to think of.' })),
    required: Type.Boolean({ description: 'Without it the domain is not verified.' }),
    dkim_key: nullable(
      Type.Enum(['current', 'next', 'former'], {
        description: 'Of a DKIM record: its key signs now, signs when the record is seen, or signed before.',
        examples: ['current'],
      }),
    ),
    needed_until: nullable(
      Type.String({ format: 'date-time', description: 'Of a former key: its record may be deleted then.' }),
    ),
    priority: nullable(Type.Integer({ description: 'Of an MX.', examples: [10] })),
    ttl: Type.Integer({ description: 'In seconds.', examples: [3600] }),
    host: Type.String({
      description: 'The name for hosts of DNS zones that add the domain by themselves; `@` is the domain.',
      examples: ['posthorn1._domainkey'],
    }),
    strings: Type.Array(Type.String(), { description: 'The value in strings of at most 255 bytes, for zone files.' }),
  },
  { title: 'DnsRecord', additionalProperties: false },
);

const Instant = Type.String({ format: 'date-time', examples: ['2027-11-20T00:00:00.000Z'] });

const Fault = Type.Object(
  {
    group: Type.Enum(['dmarc', 'record', 'svg', 'certificate']),
    code: Type.String({ examples: ['svg_title'] }),
    place: Type.String({ description: 'A DNS name, a file, or a line of a file.' }),
    message: Type.String(),
    remedy: Type.String(),
  },
  { title: 'BimiFault', additionalProperties: false },
);

const Certificate = Type.Object(
  {
    kind: Type.Enum(['vmc', 'cmc'], { description: 'A Verified or a Common Mark Certificate.' }),
    issuer: nullable(Type.String({ examples: ['DigiCert, Inc.'] })),
    expires_at: Instant,
  },
  { title: 'MarkCertificate', additionalProperties: false },
);

/** The result of a check of the logo. */
export const BimiCheck = Type.Object(
  {
    dmarc_ok: Type.Boolean({ description: 'The DMARC policy is enforced.' }),
    bimi_ok: Type.Boolean({ description: 'The record, the logo and the certificate are good.' }),
    message: Type.String(),
    faults: Type.Array(Fault, { description: 'All of them, each with its remedy.' }),
    certificate: nullable(Certificate),
    logo: nullable(
      Type.String({
        description: 'The logo that was fetched, as a data: URL. null: mailboxes would not show it, for its faults.',
        examples: ['data:image/svg+xml;base64,PHN2ZyB4bWxucz0i'],
      }),
    ),
  },
  { title: 'BimiCheck', additionalProperties: false },
);
