import type { ForwardHealth } from '#features/webhooks';
import type { Domain } from '../domain.ts';
import { dnsHostOf } from './dns-hosts.ts';
import type { ProviderHosts } from './provider-hosts.ts';
import { relativeName, textStrings, type WantedRecord, wantedRecords } from './wanted-records.ts';

/** The records to publish, each with what the last check found. */
export function dnsRecordsView(domain: Domain, hosts: ProviderHosts) {
  return wantedRecords(domain, hosts).map((wanted) => {
    const state = stateOf(domain, wanted);
    const value = state?.publish ?? wanted.value;
    return {
      type: wanted.type,
      name: wanted.name,
      value,
      purpose: wanted.purpose,
      status: state?.status ?? ('pending' as const),
      found_value: state === undefined || state.found.length === 0 ? null : state.found.join('\n'),
      hint: state?.hint ?? null,
      required: wanted.required,
      dkim_key: wanted.role ?? null,
      needed_until: wanted.until == null ? null : new Date(wanted.until).toISOString(),
      priority: wanted.priority,
      ttl: wanted.ttl,
      host: relativeName(wanted.name, domain.domain),
      strings: wanted.type === 'TXT' ? textStrings(value) : [],
    };
  });
}

/** A check of the logo looks at its record, too: the later one counts. */
function stateOf({ recordStates, mark, lastCheckedAt }: Domain, { key, purpose }: WantedRecord) {
  const watched = recordStates.find((state) => state.key === key);
  const looked = purpose === 'bimi' ? mark?.lastCheck : null;
  if (looked?.record === undefined) return watched;
  const isLater = watched === undefined || lastCheckedAt === null || lastCheckedAt < new Date(looked.checked_at);
  return isLater ? looked.record : watched;
}

export type DnsRecordView = ReturnType<typeof dnsRecordsView>[number];

/** The fields that a list shows. */
export const domainSummary = (domain: Domain) => ({
  id: domain.id,
  domain: domain.domain,
  provider_region: domain.providerRegion,
  dkim_status: domain.dkimStatus,
  sending_enabled: domain.sendingEnabled,
  receiving_enabled: domain.receivingEnabled,
  created_at: domain.createdAt.toISOString(),
  last_checked_at: domain.lastCheckedAt?.toISOString() ?? null,
  max_daily_emails: domain.maxDailyEmails,
  max_monthly_emails: domain.maxMonthlyEmails,
});

export interface DomainUsage {
  daily: number;
  monthly: number;
  /** Of a number without a limit: at least so much. */
  isEstimate: boolean;
  resets: { daily: Date; monthly: Date };
}

export function domainView(
  domain: Domain,
  more: {
    /** The endpoint of received mail. */
    forward: { secret: string; health: ForwardHealth } | null;
    hosts: ProviderHosts;
    usage: DomainUsage;
    tracking: { opens: boolean; clicks: boolean };
  },
) {
  const { usage, tracking, hosts, forward } = more;
  return {
    ...domainSummary(domain),
    webhook_url: domain.webhookUrl,
    webhook_secret: forward?.secret ?? null,
    webhook_health: forward?.health ?? null,
    bimi_enabled: domain.bimiEnabled,
    bimi_check: markCheckOf(domain),
    next_check_at: domain.nextCheckAt?.toISOString() ?? null,
    dkim_selector: domain.dkimSelector,
    verified_at: domain.verifiedAt?.toISOString() ?? null,
    failure_reason: domain.failureReason,
    usage: {
      daily: usage.daily,
      monthly: usage.monthly,
      is_estimate: usage.isEstimate,
      resets: { daily: usage.resets.daily.toISOString(), monthly: usage.resets.monthly.toISOString() },
    },
    tracking,
    provider_identity: identityView(domain),
    dns_host: dnsHostView(domain),
    dns_records: dnsRecordsView(domain, hosts),
  };
}

function markCheckOf({ mark }: Domain) {
  if (mark?.lastCheck == null) return null;
  const { record: _record, logo = null, ...check } = mark.lastCheck;
  return { ...check, logo };
}

function dnsHostView({ nameServers }: Domain) {
  const { id, name, steps, takesStrings } = dnsHostOf(nameServers);
  return { id, name, name_servers: nameServers, steps, takes_strings: takesStrings };
}

/** As the delivery service saw it at the last check. */
function identityView({ identity }: Domain) {
  if (identity === null) return null;
  const { seenAt, isFound, dkimStatus, takesMail, failure } = identity;
  return {
    status: seenAt === null ? ('pending' as const) : isFound === true ? ('found' as const) : ('missing' as const),
    dkim_status: dkimStatus,
    sending_enabled: takesMail === true,
    failure_reason: failure,
    checked_at: seenAt === null ? null : new Date(seenAt).toISOString(),
  };
}
