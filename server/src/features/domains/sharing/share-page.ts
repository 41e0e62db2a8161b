import { type Html, html } from '#platform/html/html.ts';
import { showPage } from '#platform/pages/layout.ts';
import type { Domain } from '../domain.ts';
import { type DnsHost, dnsHostOf } from '../records/dns-hosts.ts';
import type { DnsRecordView } from '../records/domain-view.ts';
import { COPY_SCRIPT } from './copy-script.ts';
import { SHARE_STYLE } from './share-style.ts';

const FRAME = { brand: null, language: 'en', embedded: null } as const;
/** The page is read again by itself while records are missing. */
const REFRESH_SECONDS = 30;

const TITLES: Record<DnsRecordView['purpose'], string> = {
  dkim: 'DKIM: the key that mail is signed with',
  spf: 'SPF: the servers that may send',
  mx: 'MX: the feedback of mailboxes',
  dmarc: 'DMARC: what receivers do with forged mail',
  inbound: 'Receiving: the server that takes your mail',
  bimi: 'BIMI: the logo',
};

interface ShownState {
  words: string;
  mark: 'good' | 'bad' | 'open';
}

const STATES: Record<DnsRecordView['status'], ShownState> = {
  pending: { words: 'Not checked yet', mark: 'open' },
  found: { words: 'Found', mark: 'good' },
  missing: { words: 'Missing', mark: 'bad' },
  mismatch: { words: 'Another value', mark: 'bad' },
  duplicate: { words: 'Several records', mark: 'bad' },
  temporary_failure: { words: 'No certain answer', mark: 'open' },
};

/** A record that nobody needs does not fail, and our MX in the place of another one would lose the domain's mail. */
function stateOf({ status, purpose, required, dkim_key: key }: DnsRecordView): ShownState {
  if (purpose === 'mx' && status === 'mismatch') return { words: 'Leave it out', mark: 'open' };
  if (status === 'missing' && !required && key !== 'next') return { words: 'Not published', mark: 'open' };
  return STATES[status];
}

/** The records of a domain for whoever can change its DNS: what to publish, and what stands there. */
export function sharePage(domain: Domain, records: readonly DnsRecordView[], expiresAt: Date) {
  const host = dnsHostOf(domain.nameServers);
  const isDone = domain.dkimStatus === 'verified';
  const refresh = isDone ? null : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">\n`;
  return showPage(FRAME, {
    title: `DNS records of ${domain.domain}`,
    isWide: true,
    head: html`${refresh}`,
    style: SHARE_STYLE,
    script: COPY_SCRIPT,
    content: html`${summary(domain, isDone)}
${isDone ? null : stepsOf(host)}
<h2 class="list">Records</h2>
${records.map((record) => recordOf(record, host))}
<p class="quiet">This page changes nothing. The link works until ${dayOf(expiresAt)}.</p>`,
  });
}

const dayOf = (at: Date): string => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function summary({ domain, lastCheckedAt, failureReason }: Domain, isDone: boolean): Html {
  const checked = lastCheckedAt === null ? 'Not checked yet.' : `Last checked ${timeOf(lastCheckedAt)}.`;
  if (isDone) return html`<p class="done" role="status">${domain} is verified. Keep the records. ${checked}</p>`;
  const reason = failureReason === null ? null : html`<p class="quiet">${failureReason}</p>`;
  return html`<p role="status">Publish these records, so that mail from ${domain} can be signed and is trusted. They are looked for by themselves, and this page shows their state. ${checked}</p>
${reason}`;
}

const stepsOf = ({ name, id, steps }: DnsHost): Html => html`<section class="steps">
<h2>${id === 'other' ? 'How to publish them' : `How to publish them at ${name}`}</h2>
<ol>
${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
</section>`;

function recordOf(record: DnsRecordView, host: DnsHost): Html {
  const { words, mark } = stateOf(record);
  const isText = record.type === 'TXT';
  const strings = record.strings.map((one) => `"${one}"`).join(' ');
  // Most hosts ask for the priority of an MX in a field of its own.
  const value = isText ? (host.takesStrings ? strings : record.value) : record.value.replace(/^\d+\s+/, '');
  return html`<section class="record">
<h3>${TITLES[record.purpose]} <span class="quiet">${needOf(record)}</span></h3>
<p class="state ${mark}">${words}</p>
<dl>
<dt>Type</dt><dd>${record.type}</dd>
${field('Name', record.host)}
${field('Whole name', record.name)}
${isText ? null : field('Priority', String(record.priority ?? ''))}
${field('Value', value)}
<dt>TTL</dt><dd>${record.ttl} seconds</dd>
</dl>
${standsRight(record)}
${record.hint === null || record.status === 'found' ? null : html`<p class="quiet">${record.hint}</p>`}
</section>
`;
}

/** A policy or a list of senders that is right, and more than our value: publishing that would lose it. */
function standsRight({ purpose, status, found_value: found, value }: DnsRecordView): Html | null {
  const isMore = (purpose === 'spf' || purpose === 'dmarc') && status === 'found' && found !== null && found !== value;
  return isMore
    ? html`<p class="quiet">This one stands there. It is right: leave it as it is. <code>${found}</code></p>`
    : null;
}

function needOf({ required, purpose, dkim_key: key, needed_until: until }: DnsRecordView): string {
  if (key === 'former') return until === null ? 'former key' : `former key, needed until ${dayOf(new Date(until))}`;
  if (key === 'next') return 'next key';
  if (purpose === 'mx') return 'optional: leave it out when the domain receives mail elsewhere';
  return required ? 'needed' : 'optional';
}

const field = (label: string, text: string): Html => html`<dt>${label}</dt><dd><code>${text}</code>
<button type="button" class="copy second" hidden aria-label="Copy: ${label}">Copy</button></dd>`;

/** 404: the link is damaged, has expired or was revoked, or its domain is gone: these look alike. */
export const notSharedPage = () =>
  showPage(FRAME, {
    title: 'These records are not here any more',
    status: 404,
    content: html`<p role="alert">The link is damaged, has expired or was revoked, or its domain was deleted. Ask for a new one.</p>`,
  });

/** A failure of ours, or too many requests. */
export const failedPage = (status: number) =>
  showPage(FRAME, {
    title: status === 429 ? 'Wait a minute' : 'This page cannot be shown just now',
    status,
    content: html`<p role="alert">${
      status === 429 ? 'There were too many requests from your network.' : 'Try again in a minute.'
    }</p>`,
  });
