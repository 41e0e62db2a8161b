import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import {
  HashAlgAndValue,
  LogotypeData,
  LogotypeDetails,
  LogotypeExtn,
  LogotypeImage,
  LogotypeInfo,
} from '@peculiar/asn1-x509-logotype';

const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const LOGOTYPE = '1.3.6.1.5.5.7.1.12';
const BIMI_USAGE = '1.3.6.1.5.5.7.3.31';
const MARK_TYPE = '1.3.6.1.4.1.53087.1.13';

export interface Made {
  pem: string;
  key: KeyObject;
  name: string;
}

export interface CertificateFields {
  name: string;
  /** Left out: signs itself. With `key`, somebody who claims to be that issuer and has another key. */
  issuer?: { name: string; key: KeyObject };
  isAuthority?: boolean;
  domains?: string[];
  usage?: string;
  markType?: string;
  logo?: Buffer | undefined;
  /** The logo whose hash the certificate names; left out: that of `logo`. */
  hashed?: Buffer;
  from?: Date;
  to?: Date;
}

/** A mark certificate as an authority makes it, or anything near it; its key is P-256. */
export function makeCertificate(fields: CertificateFields): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = fields.issuer ?? { name: fields.name, key: privateKey };
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_SHA256 });
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array(Buffer.concat([Buffer.from([1]), randomBytes(8)])).buffer,
    signature: algorithm,
    issuer: nameOf(issuer.name),
    validity: new Validity({
      notBefore: fields.from ?? new Date('2026-01-01T00:00:00Z'),
      notAfter: fields.to ?? new Date('2027-01-01T00:00:00Z'),
    }),
    subject: nameOf(fields.name, fields.markType),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions(extensionsOf(fields)),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), issuer.key);
  const certificate = new Certificate({
    tbsCertificate: body,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString('base64');
  const lines = base64.match(/.{1,64}/g)?.join('\n');
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
    name: fields.name,
  };
}

export interface Authority {
  root: Made;
  intermediate: Made;
}

export function makeAuthority(during: Pick<CertificateFields, 'from' | 'to'> = {}): Authority {
  const root = makeCertificate({ name: 'Mark Root', isAuthority: true, ...during });
  return { root, intermediate: makeCertificate({ name: 'Mark CA', issuer: root, isAuthority: true, ...during }) };
}

/** A good mark certificate with its intermediate one, as an authority delivers them, but for `changed`. */
export function makeMark(authority: Authority, changed: Partial<CertificateFields> = {}): string {
  const made = makeCertificate({
    name: 'Acme Inc',
    issuer: authority.intermediate,
    domains: ['acme.example'],
    usage: BIMI_USAGE,
    markType: 'Registered Mark',
    logo: GOOD_LOGO,
    ...changed,
  });
  return `${made.pem}${authority.intermediate.pem}`;
}

export const GOOD_LOGO = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 512 512">
  <title>Acme</title>
  <desc>A circle</desc>
  <defs><linearGradient id="a"><stop offset="0" stop-color="#036"/></linearGradient></defs>
  <rect width="512" height="512" fill="#fff"/>
  <circle cx="256" cy="256" r="200" fill="url(#a)"/>
</svg>
`,
);

function extensionsOf({ isAuthority = false, domains = [], usage, logo, hashed }: CertificateFields): Extension[] {
  const extensions = [extension(id_ce_basicConstraints, new BasicConstraints({ cA: isAuthority }))];
  if (domains.length > 0) {
    const names = new SubjectAlternativeName(domains.map((dNSName) => new GeneralName({ dNSName })));
    extensions.push(extension(id_ce_subjectAltName, names));
  }
  if (usage !== undefined) extensions.push(extension(id_ce_extKeyUsage, new ExtendedKeyUsage([usage])));
  if (logo !== undefined) extensions.push(extension(LOGOTYPE, logotypeOf(logo, hashed ?? logo)));
  return extensions;
}

const extension = (extnID: string, value: object): Extension =>
  new Extension({ extnID, critical: false, extnValue: new OctetString(AsnConvert.serialize(value)) });

function logotypeOf(logo: Buffer, hashed: Buffer): LogotypeExtn {
  const hash = new HashAlgAndValue();
  hash.hashAlg = new AlgorithmIdentifier({ algorithm: SHA256 });
  hash.hashValue = new OctetString(createHash('sha256').update(hashed).digest());
  const details = new LogotypeDetails();
  details.mediaType = 'image/svg+xml';
  details.logotypeHash = [hash];
  details.logotypeURI = [`data:image/svg+xml;base64,${gzipSync(logo).toString('base64')}`];
  const image = new LogotypeImage();
  image.imageDetails = details;
  const data = new LogotypeData();
  data.image = [image];
  const info = new LogotypeInfo();
  info.direct = data;
  const logotype = new LogotypeExtn();
  logotype.subjectLogo = info;
  return logotype;
}

function nameOf(text: string, markType?: string): Name {
  const part = (type: string, utf8String: string): RelativeDistinguishedName =>
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })]);
  return new Name([
    part('2.5.4.10', text),
    part('2.5.4.3', text),
    ...(markType === undefined ? [] : [part(MARK_TYPE, markType)]),
  ]);
}
