import type { DnsRecord, Domain } from '../../../api/generated/types.gen.ts';

export interface DkimKeyState {
  selector: string;
  role: 'current' | 'next' | 'former';
  record: DnsRecord;
}

type WithKeys = Pick<Domain, 'dkim_selector' | 'dkim_status' | 'sending_enabled' | 'dns_records'>;

/** The keys of a domain: the one that signs comes first. */
export function dkimKeysOf({ dns_records: records }: WithKeys): DkimKeyState[] {
  const order = ['current', 'next', 'former'] as const;
  return order.flatMap((role) =>
    records
      .filter((record) => record.dkim_key === role)
      .map((record) => ({ role, record, selector: record.host.split('.')[0] ?? record.host })),
  );
}

/** Why no rotation can begin now; the server decides by the same rules. */
export function whyNoRotation(domain: WithKeys): string | undefined {
  if (!domain.sending_enabled) return 'Nothing is signed with the key before the domain is verified.';
  const keys = dkimKeysOf(domain);
  if (keys.some(({ role }) => role === 'next')) return 'A next key is there already. Publish its record first.';
  if (keys.some(({ role }) => role === 'former')) return 'The record of the former key is still needed.';
  return undefined;
}
