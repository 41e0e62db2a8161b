import { createHash, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { LogotypeExtn } from '@peculiar/asn1-x509-logotype';
import rootPems from '@postalsys/vmc/data/root-store.json' with { type: 'json' };
import { MAX_CERTIFICATE_BYTES } from './certificate-limits.ts';
import { type BimiFault, faultsOf } from './fault.ts';
import { bimiName } from './judge-record.ts';
import { judgeSvg } from './judge-svg.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** The authorities whose certificates the mailbox providers accept (bimigroup.org/vmc-issuers). */
const MARK_ROOTS: readonly X509Certificate[] = rootPems.map((pem) => new X509Certificate(pem));

const MAX_CHAIN = 6;
const MAX_LOGO_BYTES = 256 * 1024;

/** id-kp-BrandIndicatorforMessageIdentification. */
const BIMI_USAGE = '1.3.6.1.5.5.7.3.31';
/** RFC 3709 §4.1. */
const LOGOTYPE = '1.3.6.1.5.5.7.1.12';
const MARK_TYPE = '1.3.6.1.4.1.53087.1.13';
/** A mark without a trademark: the certificate is a CMC, and fewer mailboxes show its logo. */
const COMMON_MARKS = new Set(['Prior Use Mark', 'Modified Registered Mark']);
/** SHA-1 is what some authorities still write; the signature of the certificate covers the logo, too. */
const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

export interface CertificateToJudge {
  /** The file as it was fetched, and its address. */
  pem: Buffer;
  where: string;
  domain: string;
  /** The logo that the record names; undefined if it could not be fetched. */
  logo: Buffer | undefined;
  now: Date;
  roots?: readonly X509Certificate[];
}

export interface JudgedCertificate {
  /** A Verified Mark Certificate or a Common Mark Certificate; null: it could not be read. */
  kind: 'vmc' | 'cmc' | null;
  issuer: string | null;
  expiresAt: Date | null;
  faults: BimiFault[];
}

/**
 * All faults of a mark certificate: its chain up to a root of `roots` with every signature, its time, its purpose, the
 * domain, and the logo inside, which must be the published one byte for byte
 * (draft-brand-indicators-for-message-identification §4.4, draft-fetch-validation-vmc-wchuang).
 */
export async function judgeCertificate(input: CertificateToJudge): Promise<JudgedCertificate> {
  const { pem, where, domain, now, roots = MARK_ROOTS } = input;
  const faults: BimiFault[] = [];
  const note = faultsOf('certificate', faults);
  const none = { kind: null, issuer: null, expiresAt: null, faults };
  if (pem.length > MAX_CERTIFICATE_BYTES) {
    note(
      'certificate_too_large',
      where,
      `The file has more than ${MAX_CERTIFICATE_BYTES} bytes.`,
      'Publish the PEM file of your authority only.',
    );
    return none;
  }
  const text = pem.toString('latin1');
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    note(
      'certificate_private_key',
      where,
      'The file contains a private key, which everybody can read there.',
      'Remove it, and ask your authority for a new certificate.',
    );
  }
  const chain = readChain(text);
  const [leaf] = chain ?? [];
  if (chain === undefined || leaf === undefined) {
    note(
      'certificate_unreadable',
      where,
      'The file contains no certificate in PEM form.',
      'Publish the PEM file of your authority.',
    );
    return none;
  }
  judgeTime(chain, { where, now, note });
  judgeSignatures(chain, { where, now, roots, note });
  if (!leaf.keyUsage?.includes(BIMI_USAGE)) {
    note(
      'certificate_purpose',
      where,
      'The certificate is not one for logos (extended key usage).',
      'Publish a VMC or CMC, not the certificate of a web server.',
    );
  }
  const names = namesOf(leaf);
  if (!names.some((name) => name === bimiName(domain) || domain === name || domain.endsWith(`.${name}`))) {
    note(
      'certificate_domain',
      where,
      `The certificate is for ${names.slice(0, 5).join(', ') || 'no domain'}, not for ${domain}.`,
      'Ask your authority for one that names this domain.',
    );
  }
  await judgeLogo(leaf, { where, logo: input.logo, note, faults });
  return { kind: kindOf(leaf), issuer: fieldOf(leaf.issuer, 'O'), expiresAt: new Date(leaf.validTo), faults };
}

type Note = ReturnType<typeof faultsOf>;

/** The certificates of a PEM file in their order; undefined: one of them cannot be read. */
function readChain(text: string): X509Certificate[] | undefined {
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return pems.slice(0, MAX_CHAIN).map((pem) => new X509Certificate(pem));
  } catch {
    return undefined;
  }
}

interface ChainRules {
  where: string;
  now: Date;
  note: Note;
}

function judgeTime(chain: readonly X509Certificate[], { where, now, note }: ChainRules): void {
  for (const [index, certificate] of chain.entries()) {
    const name = index === 0 ? 'The certificate' : `The certificate of ${fieldOf(certificate.subject, 'CN')}`;
    if (now > new Date(certificate.validTo)) {
      note('certificate_expired', where, `${name} expired at ${isoOf(certificate.validTo)}.`, 'Publish its successor.');
    } else if (now < new Date(certificate.validFrom)) {
      note('certificate_early', where, `${name} is valid from ${isoOf(certificate.validFrom)} on.`, 'Wait until then.');
    }
  }
}

/** `checkIssued` compares names only, so every signature is verified, too. */
const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

function judgeSignatures(
  chain: readonly X509Certificate[],
  { where, now, roots, note }: ChainRules & { roots: readonly X509Certificate[] },
): void {
  const isLinked = chain.every((certificate, index) => {
    const issuer = chain[index + 1];
    return issuer === undefined || isIssuedBy(certificate, issuer);
  });
  if (!isLinked) {
    note(
      'certificate_chain',
      where,
      'The certificates in the file do not follow from each other.',
      'Publish the certificate first, then its intermediate certificates.',
    );
    return;
  }
  const last = chain.at(-1);
  const root = last && roots.find((root) => root.fingerprint256 === last.fingerprint256 || isIssuedBy(last, root));
  if (root === undefined) {
    note(
      'certificate_untrusted',
      where,
      `No authority for logos that mailboxes accept has issued it (${fieldOf(last?.issuer ?? '', 'O') ?? 'unknown issuer'}).`,
      'Buy a VMC or CMC of DigiCert, GlobalSign or SSL.com, and publish it with its intermediate certificates.',
    );
  } else if (now > new Date(root.validTo)) {
    note('certificate_expired', where, 'The root of the certificate has expired.', 'Publish its successor.');
  }
}

/** The logo in the certificate is itself a good one, and the one that is published. */
async function judgeLogo(
  leaf: X509Certificate,
  { where, logo, note, faults }: { where: string; logo: Buffer | undefined; note: Note; faults: BimiFault[] },
): Promise<void> {
  const inside = await logoOf(leaf);
  if (inside === undefined) {
    note('certificate_no_logo', where, 'The certificate contains no logo.', 'Publish a VMC or CMC.');
    return;
  }
  if (!inside.isIntact) {
    note(
      'certificate_logo_hash',
      where,
      'The logo in the certificate does not have the hash that it names.',
      'Ask your authority for a new certificate.',
    );
  }
  if (inside.mediaType !== 'image/svg+xml') {
    note(
      'certificate_logo_type',
      where,
      `The logo in the certificate is ${inside.mediaType}.`,
      'Ask your authority for a new certificate.',
    );
  }
  if (logo !== undefined && !logo.equals(inside.bytes)) {
    note(
      'certificate_other_logo',
      where,
      'The logo in the certificate is not the published one, byte for byte.',
      'Publish the file that you gave to your authority.',
    );
    // The published logo was judged already; the one inside is another.
    faults.push(
      ...judgeSvg(inside.bytes, `${where}, the logo inside`).map((fault) => ({
        ...fault,
        group: 'certificate' as const,
      })),
    );
  }
}

interface LogoInside {
  bytes: Buffer;
  mediaType: string;
  isIntact: boolean;
}

/** The logo of a certificate (RFC 3709, a gzipped data URL as RFC 6170 says); undefined: none that can be read. */
async function logoOf(leaf: X509Certificate): Promise<LogoInside | undefined> {
  try {
    const extensions = AsnConvert.parse(leaf.raw, Certificate).tbsCertificate.extensions ?? [];
    const extension = extensions.find(({ extnID }) => extnID === LOGOTYPE);
    if (extension === undefined) return undefined;
    const details = AsnConvert.parse(extension.extnValue, LogotypeExtn).subjectLogo?.direct?.image?.[0]?.imageDetails;
    const packed = /^data:[^,]*;base64,(.*)$/s.exec(details?.logotypeURI[0] ?? '')?.[1];
    if (details === undefined || packed === undefined) return undefined;
    const bytes = await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_LOGO_BYTES });
    const [named] = details.logotypeHash;
    const algorithm = ownEntry(HASHES, named?.hashAlg.algorithm ?? '');
    const isIntact =
      named !== undefined &&
      algorithm !== undefined &&
      createHash(algorithm).update(bytes).digest().equals(Buffer.from(named.hashValue.buffer));
    return { bytes, mediaType: details.mediaType.toLowerCase(), isIntact };
  } catch {
    return undefined;
  }
}

const kindOf = (leaf: X509Certificate): 'vmc' | 'cmc' =>
  COMMON_MARKS.has(fieldOf(leaf.subject, MARK_TYPE) ?? '') ? 'cmc' : 'vmc';

const isoOf = (text: string): string => new Date(text).toISOString();

/** A field of a name as Node writes it, one on each line. */
const fieldOf = (name: string, field: string): string | null =>
  name
    .split('\n')
    .find((line) => line.startsWith(`${field}=`))
    ?.slice(field.length + 1)
    .replaceAll('\\,', ',') ?? null;

const namesOf = (certificate: X509Certificate): string[] =>
  [...(certificate.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map(([, name = '']) => name.toLowerCase());
