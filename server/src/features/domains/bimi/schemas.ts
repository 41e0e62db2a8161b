import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { DnsRecord, wrapped } from '../records/schemas.ts';

const Id = Type.String({ format: 'uuid', examples: ['0197f3c0-1122-7d44-8a55-66778899aabb'] });
const Instant = Type.String({ format: 'date-time', examples: ['2027-11-20T00:00:00.000Z'] });

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

export const BimiCheckAnswer = wrapped(
  Type.Object(
    {
      id: Id,
      domain: Type.String({ examples: ['acme.example'] }),
      bimi_check: Type.Object(
        {
          dmarc_ok: Type.Boolean({ description: 'The DMARC policy is enforced.' }),
          bimi_ok: Type.Boolean({ description: 'The record, the logo and the certificate are good.' }),
          message: Type.String(),
          faults: Type.Array(Fault, { description: 'All of them, each with its remedy.' }),
          certificate: nullable(Certificate),
        },
        { title: 'BimiCheck', additionalProperties: false },
      ),
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
