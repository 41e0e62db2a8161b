import { selfSignedCertificate as make } from '#platform/smtp/self-signed-certificate.ts';

export interface CertificateOptions {
  /** Left out: P-256, made in about a millisecond. RSA (2,048 bits) takes a hundred times as long. */
  kind?: 'ec' | 'rsa';
  commonName?: string;
  /** Left out: now. The certificate is good for a day before and after. */
  around?: Date;
  /** Names an organisation as the issuer, which is not the subject then; the key that signs stays its own. */
  issuer?: string;
}

/** A certificate for localhost and 127.0.0.1. */
export const selfSignedCertificate = (options: CertificateOptions = {}): { cert: string; key: string } =>
  make({
    kind: options.kind ?? 'ec',
    commonName: options.commonName ?? 'localhost',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
    now: options.around ?? new Date(performance.timeOrigin + performance.now()),
    days: 1,
    issuer: options.issuer,
  });
