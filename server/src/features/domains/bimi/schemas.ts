import { Type } from 'typebox';
import { BimiCheck, DnsRecord, wrapped } from '../records/schemas.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] });

const URL_CHARS_MAX = 1_000;

export const BimiBody = Type.Object({
  svgPath: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The path of the logo below the public folder of your storage. Posthorn keeps and shows it.',
    examples: ['logos/acme.svg'],
  }),
  svgUrl: Type.String({
    minLength: 1,
    maxLength: URL_CHARS_MAX,
    description: 'The public https address of the logo in SVG Tiny PS.',
    examples: ['https://acme.example/logo.svg'],
  }),
  vmcCertUrl: Type.String({
    minLength: 1,
    maxLength: URL_CHARS_MAX,
    description: 'The public https address of the mark certificate (VMC or CMC) in PEM form.',
    examples: ['https://acme.example/mark.pem'],
  }),
});

const PlainRecord = Type.Object(
  {
    type: Type.Literal('TXT'),
    name: Type.String({ examples: ['default._bimi.acme.example'] }),
    value: Type.String({ examples: ['v=BIMI1; l=https://acme.example/logo.svg; a=https://acme.example/mark.pem'] }),
  },
  { additionalProperties: false },
);

const DnsRecords = Type.Array(DnsRecord, { description: 'All records of the domain to publish.' });

export const BimiAnswer = wrapped(
  Type.Object({ bimi_enabled: Type.Literal(true), dns_record: PlainRecord }, { additionalProperties: false }),
  'BimiAnswer',
);

export const BimiCheckAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      domain: Type.String({ examples: ['acme.example'] }),
      bimi_check: BimiCheck,
      dns_records: DnsRecords,
    },
    { additionalProperties: false },
  ),
  'BimiCheckAnswer',
);

export const BimiDisabledAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      domain: Type.String({ examples: ['acme.example'] }),
      bimi_enabled: Type.Literal(false),
      dns_records: DnsRecords,
    },
    { additionalProperties: false },
  ),
  'BimiDisabledAnswer',
);
