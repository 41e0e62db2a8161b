import type { DNSResolver } from 'mailauth';

/** The checks of the sender of a message. */
export interface MailAuth {
  spf: string;
  dkim: string;
  dmarc: string;
  arc: string;
}

export interface AuthenticateOptions {
  clientIp: string;
  clientName: string | null;
  /** '' is the null sender. */
  envelopeFrom: string;
  /** The name of this server. */
  host: string;
  resolve: DNSResolver;
}

export const UNKNOWN_AUTH: MailAuth = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' };

/**
 * Checks SPF, DKIM, DMARC and ARC. A DNS that does not answer gives `temperror`, and a message that the checks cannot
 * read gives `permerror`; nothing here refuses mail.
 */
export async function authenticateMessage(raw: Buffer, options: AuthenticateOptions): Promise<MailAuth> {
  const { authenticate } = await import('mailauth');
  try {
    const { spf, dkim, dmarc, arc } = await authenticate(raw, {
      ip: options.clientIp.replace(/^::ffff:(?=\d+\.)/i, ''),
      helo: options.clientName ?? '',
      sender: options.envelopeFrom,
      mta: options.host,
      resolver: options.resolve,
      disableBimi: true,
    });
    return {
      spf: (spf && spf.status.result) || 'none',
      dkim: bestOf(dkim?.results.map(({ status }) => status.result) ?? []),
      dmarc: (dmarc && dmarc.status.result) || 'none',
      arc: (arc && arc.status.result) || 'none',
    };
  } catch {
    return { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', arc: 'permerror' };
  }
}

const ORDER = ['pass', 'temperror', 'fail', 'permerror', 'policy', 'neutral', 'none'];

/** One good signature is enough (RFC 6376 §6.1); one that could not be checked may have been good. */
const bestOf = (results: readonly string[]): string =>
  ORDER.find((result) => results.includes(result)) ?? results[0] ?? 'none';
