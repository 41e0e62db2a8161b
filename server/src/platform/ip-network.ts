import ipaddr from 'ipaddr.js';

/**
 * The network that an address belongs to, as a key to count by: its first bytes, however it is spelled. IPv4 inside
 * IPv6 is IPv4. A text that is no address is a network of its own.
 */
export function networkOf(address: string, bytes: { ofIpv4: number; ofIpv6: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read
    .toByteArray()
    .slice(0, read.kind() === 'ipv4' ? bytes.ofIpv4 : bytes.ofIpv6)
    .join('.');
}
