import { X509Certificate } from 'node:crypto';
import { mtaStsPolicy, mtaStsRecord } from '#mail/mta-sts.ts';
import { mailHostOf } from '#platform/config/mail-host.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { readCertificateFiles } from '#platform/smtp/certificate-files.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';
import { MTA_STS } from './about-mta-sts.ts';

export interface MtaStsDeps {
  settings: Settings;
  /** May reach every address: the names are those of the operator. */
  fetch: Pick<SafeFetch, 'request'>;
  /** The strings of each TXT record of a name; rejects with ENOTFOUND or ENODATA when there is none. */
  resolveTxt(name: string): Promise<string[][]>;
}

const answerMsMax = 5_000;
const bodyBytesMax = 64 * 1_024;

/** The policy as another server finds it: the certificate that it demands, the file, and its record in the DNS. */
export async function checkMtaSts(deps: MtaStsDeps): Promise<Finding[]> {
  const { mtaSts: mode, bounceDomain } = deps.settings;
  if (mode === 'off') return [skipped(MTA_STS, 'Not looked at: POSTHORN_MTA_STS is off.')];
  if (bounceDomain === null) return [skipped(MTA_STS, 'Not looked at: POSTHORN_BOUNCE_DOMAIN is not set.')];
  const domain = bounceDomain.toLowerCase();
  const policy = mtaStsPolicy(mode, mailHostOf(deps.settings));
  const found = [
    ...(mode === 'none' ? [] : await judgeCertificate(deps.settings)),
    ...(await judgePolicy(deps, domain, policy)),
    ...(await judgeRecord(deps, domain, mtaStsRecord(policy))),
  ];
  return found.length > 0 ? found : [ok(MTA_STS, `The policy of ${domain} is published, in the mode ${mode}.`)];
}

async function judgeCertificate(settings: Settings): Promise<Finding[]> {
  const { tlsCert: certFile, tlsKey: keyFile } = settings;
  const host = mailHostOf(settings);
  if (certFile === null || keyFile === null)
    return [trouble(MTA_STS, 'no certificate', 'POSTHORN_TLS_CERT is not set.', { host })];
  const pem = await readCertificateFiles({ certFile, keyFile }).catch((error: Error) => error);
  if (pem instanceof Error) return [trouble(MTA_STS, 'no certificate', pem.message, { host })];
  const certificate = new X509Certificate(pem.cert);
  if (certificate.checkHost(host) === undefined)
    return [trouble(MTA_STS, 'other name', `It names ${certificate.subjectAltName ?? certificate.subject}.`, { host })];
  if (!certificate.checkIssued(certificate)) return [];
  return [trouble(MTA_STS, 'no certificate', 'The certificate vouches for itself.', { host })];
}

async function judgePolicy({ fetch }: MtaStsDeps, domain: string, policy: string): Promise<Finding[]> {
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
  const answer = await fetch.request(url, { method: 'GET', timeoutMs: answerMsMax, bodyBytesMax });
  if (answer.kind === 'answered' && answer.status === 200 && answer.body.toString() === policy) return [];
  const message = answer.kind === 'answered' ? `${url} answers ${answer.status}.` : `${url}: ${answer.reason}.`;
  return [trouble(MTA_STS, 'no policy', message, { url, domain })];
}

async function judgeRecord({ resolveTxt }: MtaStsDeps, domain: string, value: string): Promise<Finding[]> {
  const name = `_mta-sts.${domain}`;
  try {
    const records = (await resolveTxt(name))
      .map((strings) => strings.join(''))
      .filter((text) => text.startsWith('v=STSv1;'));
    const [found] = records;
    if (found === undefined)
      return [trouble(MTA_STS, 'no record', `${name} has no record of MTA-STS.`, { domain, value })];
    // RFC 8461 §3.1: more than one is as none.
    if (records.length === 1 && idOf(found) === idOf(value)) return [];
    return [trouble(MTA_STS, 'other id', `${name}: ${records.join(' and ')}`, { domain, value })];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOTFOUND' || code === 'ENODATA')
      return [trouble(MTA_STS, 'no record', `${name} has no TXT record.`, { domain, value })];
    return [skipped(MTA_STS, `${name} cannot be looked up from here (${code || 'no answer'}).`)];
  }
}

const idOf = (record: string): string | undefined => /;\s*id\s*=\s*([a-z0-9]{1,32})\s*(?:;|$)/i.exec(record)?.[1];
