import { isIP } from 'node:net';
import { createAddressRules } from '#platform/safe-fetch/address-rules.ts';
import type { Lookup } from '#platform/safe-fetch/resolve-name.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { CALLBACK } from './about-callback.ts';
import { type Finding, ok, trouble } from './finding.ts';

export interface CallbackDeps {
  publicUrl: string;
  /** Where this process, or one beside it, would listen. */
  port: number;
  lookup: Lookup;
  /** May reach every address: whose URL it is given is the operator's. */
  fetch: Pick<SafeFetch, 'request'>;
}

const answerMsMax = 5_000;
const bodyBytesMax = 100_000;

/** Whether others can reach us, as far as that can be seen from here. */
export async function checkCallback(deps: CallbackDeps): Promise<Finding> {
  const { publicUrl, lookup, port } = deps;
  const { hostname, protocol } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)localhost$/.test(host) || host.startsWith('127.') || host === '::1') {
    return trouble(CALLBACK, 'local', `POSTHORN_PUBLIC_URL is ${publicUrl}.`);
  }
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host];
  if (addresses.length === 0) return trouble(CALLBACK, 'unresolved', `${host} cannot be resolved.`);
  const rules = createAddressRules([]);
  const inner = addresses.filter((address) => rules.judge(address) === 'refused');
  if (inner.length > 0) return trouble(CALLBACK, 'private', `${host} leads to ${inner.join(', ')}.`);

  const answer = await askHealth(deps, publicUrl);
  if (answer === 'not posthorn')
    return trouble(CALLBACK, 'somebody else', `${publicUrl}/health is not that of Posthorn.`);
  if (answer !== 'posthorn') {
    const message = `${publicUrl} does not answer: ${answer.reason}.`;
    const runs = (await askHealth(deps, `http://127.0.0.1:${port}`)) === 'posthorn';
    if (!runs) return trouble(CALLBACK, 'not running', message);
    return trouble(CALLBACK, 'unreachable', message, { reason: answer.reason, address: `${publicUrl}/health` });
  }
  if (protocol !== 'https:') return trouble(CALLBACK, 'insecure', `POSTHORN_PUBLIC_URL is ${publicUrl}.`);
  return ok(CALLBACK, `${publicUrl} answers.`);
}

async function askHealth(
  { fetch }: CallbackDeps,
  base: string,
): Promise<'posthorn' | 'not posthorn' | { reason: string }> {
  const answer = await fetch.request(`${base}/health`, { method: 'GET', timeoutMs: answerMsMax, bodyBytesMax });
  if (answer.kind !== 'answered') return { reason: answer.reason };
  try {
    const body: unknown = JSON.parse(answer.body.toString());
    const isOurs = typeof body === 'object' && body !== null && 'database' in body && 'version' in body;
    return isOurs ? 'posthorn' : 'not posthorn';
  } catch {
    return 'not posthorn';
  }
}
