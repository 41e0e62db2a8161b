import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// Just enough DER (X.690) for one X.509 v3 certificate: Node makes keys and signatures, but no certificates.
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from([body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const objectId = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const octets = (body: Buffer): Buffer => der(0x04, body);
const utcTime = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'latin1'));

const ECDSA_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const RSA_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), der(0x05));
const COMMON_NAME = objectId(0x55, 0x04, 0x03);
const ORGANIZATION = objectId(0x55, 0x04, 0x0a);
const SUBJECT_ALT_NAME = objectId(0x55, 0x1d, 0x11);

export interface CertificateOptions {
  /** Left out: P-256, made in about a millisecond. RSA (2,048 bits) takes a hundred times as long. */
  kind?: 'ec' | 'rsa';
  commonName: string;
  /** ASCII, of at most 253 characters each. */
  dnsNames: readonly string[];
  /** IPv4. */
  addresses?: readonly string[];
  now: Date;
  /** How long it is good from now on; it is good for a day before now. Not beyond 2049. */
  days: number;
  /** Names an organisation as the issuer, which is not the subject then; the key that signs stays its own. */
  issuer?: string | undefined;
}

/**
 * A certificate that nobody vouches for, for STARTTLS between mail servers: they encrypt with whatever is offered
 * (RFC 7435), and a key made by this process is better than none and than one that the world knows.
 */
export function selfSignedCertificate(options: CertificateOptions): { cert: string; key: string } {
  const rsa = options.kind === 'rsa';
  const { privateKey, publicKey } = rsa
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = rsa ? RSA_SHA256 : ECDSA_SHA256;
  const commonName = Buffer.from(options.commonName);
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, commonName))));
  const now = options.now.getTime();
  const dayMs = 86_400_000;
  const names = sequence(
    ...options.dnsNames.map((one) => der(0x82, Buffer.from(one))),
    ...(options.addresses ?? []).map((one) => der(0x87, Buffer.from(one.split('.').map(Number)))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    options.issuer === undefined
      ? name
      : sequence(der(0x31, sequence(ORGANIZATION, der(0x0c, Buffer.from(options.issuer))))),
    sequence(utcTime(new Date(now - dayMs)), utcTime(new Date(now + options.days * dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, octets(names)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  // No empty line: readers of PEM take it for the end of a header.
  const lines = sequence(body, algorithm, signature)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
