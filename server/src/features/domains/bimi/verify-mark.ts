import type { X509Certificate } from 'node:crypto';
import { MAX_CERTIFICATE_BYTES } from '#mail/bimi/certificate-limits.ts';
import type { BimiFault, BimiGroup } from '#mail/bimi/fault.ts';
import { type FoundPolicy, judgeDmarc } from '#mail/bimi/judge-dmarc.ts';
import { bimiName, judgeRecord } from '#mail/bimi/judge-record.ts';
import { judgeSvg, MAX_READ_BYTES } from '#mail/bimi/judge-svg.ts';
import { AppError, conflict } from '#platform/errors/app-error.ts';
import type { Clock } from '#platform/clock.ts';
import type { Lookup, LookUp } from '#platform/dns/lookup.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Domain } from '../domain.ts';
import { judgeMark } from '../checks/judge-records.ts';
import { getDomain } from '../get-domain.ts';
import { organizationalDomain } from '../records/wanted-records.ts';
import type { MarkCheck, StoredMark } from './mark.ts';
import { markCheckView } from './mark-check-view.ts';
import { beginMarkCheck, findMark, storeMarkCheck } from './queries.ts';

export interface MarkPorts {
  safeFetch: SafeFetch;
  clock: Clock;
  lookUp(): LookUp;
  /** The authorities to believe in place of the usual ones. */
  roots?: readonly X509Certificate[];
}

const FETCH_MS_MAX = 5_000;

/**
 * Looks at everything that a mailbox provider looks at before it shows the logo of a domain, and names all faults at
 * once. 409 without a logo and for a second check within ten seconds, 504 when the DNS gives no certain answer.
 */
export async function verifyMark(
  ctx: Ctx,
  id: string,
  ports: MarkPorts,
): Promise<{ domain: Domain; check: MarkCheck }> {
  const domain = await getDomain(ctx, id);
  const mark = await findMark(ctx.db, domain);
  if (mark === undefined) throw conflict('BIMI is off for this domain. Enable it first: POST /cloud-domains/:id/bimi.');
  if (!(await beginMarkCheck(ctx.db, domain, ports.clock.now()))) {
    throw conflict('The last check is less than ten seconds old. Try again then.');
  }
  const check = await judgeAll(domain.domain, mark, ports);
  await storeMarkCheck(ctx.db, domain, {
    certificateUrl: mark.certificateUrl,
    kind: check.certificate?.kind ?? null,
    expiresAt: check.certificate?.expiresAt ?? null,
    now: ports.clock.now(),
    check: { ...markCheckView(check), record: check.record },
  });
  return { domain: await getDomain(ctx, id), check };
}

async function judgeAll(domain: string, mark: StoredMark, ports: MarkPorts): Promise<MarkCheck> {
  const lookUp = ports.lookUp();
  // The readers of ASN.1 and the roots take 7 MB, for a check that an operator asks for a few times a year.
  const { judgeCertificate } = await import('#mail/bimi/judge-certificate.ts');
  const [policies, texts, logo, certificate] = await Promise.all([
    policiesOf(domain, lookUp),
    textsAt(bimiName(domain), lookUp),
    fetchFile(ports, mark.svgUrl, { group: 'svg', what: 'logo', bytesMax: MAX_READ_BYTES + 1 }),
    fetchFile(ports, mark.certificateUrl, {
      group: 'certificate',
      what: 'certificate',
      bytesMax: MAX_CERTIFICATE_BYTES + 1,
    }),
  ]);
  const judged =
    certificate.bytes === undefined
      ? undefined
      : await judgeCertificate({
          pem: certificate.bytes,
          where: mark.certificateUrl,
          domain,
          logo: logo.bytes,
          now: ports.clock.now(),
          ...(ports.roots === undefined ? {} : { roots: ports.roots }),
        });
  const dmarc = judgeDmarc(domain, policies);
  const ofLogo = [...logo.faults, ...(logo.bytes === undefined ? [] : judgeSvg(logo.bytes, mark.svgUrl))];
  const others = [
    ...judgeRecord(domain, texts, { svgUrl: mark.svgUrl, certificateUrl: mark.certificateUrl }),
    ...ofLogo,
    ...certificate.faults,
    ...(judged?.faults ?? []),
  ];
  return {
    dmarcOk: dmarc.length === 0,
    bimiOk: others.length === 0,
    faults: [...dmarc, ...others],
    certificate:
      judged?.kind == null || judged.expiresAt === null
        ? null
        : { kind: judged.kind, issuer: judged.issuer, expiresAt: judged.expiresAt },
    record: judgeMark(domain, texts, mark),
    logo: ofLogo.length === 0 ? logo.bytes : undefined,
  };
}

/** The policy that applies to the domain, and that of its organizational domain where it is another. */
async function policiesOf(domain: string, lookUp: LookUp): Promise<FoundPolicy[]> {
  const names = [...new Set([domain, organizationalDomain(domain)])].map((at) => `_dmarc.${at}`);
  const found = await Promise.all(
    names.map(async (name) => (await textsAt(name, lookUp)).map((record) => ({ name, record }))),
  );
  return found.flat().filter(({ record }) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(record.trim()));
}

async function textsAt(name: string, lookUp: LookUp): Promise<readonly string[]> {
  const lookup = await lookUp(name, 'TXT');
  if (lookup.values === null) throw noAnswer(lookup);
  return lookup.values;
}

const noAnswer = ({ name, reason }: Lookup): AppError =>
  new AppError('timeout_error', `${reason ?? `The DNS gave no certain answer for ${name}.`} Try again in a while.`);

interface Fetched {
  bytes: Buffer | undefined;
  faults: BimiFault[];
}

/** A file as a mailbox provider fetches it: over https, without a redirect. */
async function fetchFile(
  { safeFetch }: MarkPorts,
  url: string,
  { group, what, bytesMax }: { group: BimiGroup; what: string; bytesMax: number },
): Promise<Fetched> {
  const answer = await safeFetch.request(url, { method: 'GET', timeoutMs: FETCH_MS_MAX, bodyBytesMax: bytesMax });
  const failed = (message: string, remedy: string): Fetched => ({
    bytes: undefined,
    faults: [{ group, code: `${group}_unreachable`, place: url, message, remedy }],
  });
  if (answer.kind !== 'answered') {
    return failed(`The ${what} could not be fetched: ${answer.reason}.`, 'Serve it from a public https address.');
  }
  if (answer.status >= 300 && answer.status < 400) {
    return failed(`The address of the ${what} redirects (${answer.status}).`, 'Name the address where the file is.');
  }
  if (answer.status !== 200) {
    return failed(`The address of the ${what} answers ${answer.status}.`, 'Serve the file there.');
  }
  const type = String(answer.headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  const faults: BimiFault[] = [];
  if (group === 'svg' && type !== 'image/svg+xml') {
    faults.push({
      group,
      code: 'svg_content_type',
      place: url,
      message: `The logo is served as ${type === '' ? 'nothing' : type}.`,
      remedy: 'Serve it as image/svg+xml.',
    });
  }
  return { bytes: answer.body, faults };
}
