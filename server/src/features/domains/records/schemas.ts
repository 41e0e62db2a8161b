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
