import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads an address or CIDR range of either family; undefined for anything else. Host bits are cleared. */
export function parseIpRange(text: string): Range | undefined {
  // ipaddr.js also reads octal, hexadecimal and one-number spellings, which people do not mean.
  if (!/^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*)(\/\d{1,3})?$/i.test(text)) return undefined;
  if (/^0\d|\.0\d/.test(text)) return undefined;
  try {
    if (!text.includes('/')) {
      const address = ipaddr.parse(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    }
    const [address, bits] = ipaddr.parseCIDR(text);
    const network =
      address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text);
    return [network, bits];
  } catch {
    return undefined;
  }
}

/** The range in the one spelling we store. */
export const formatIpRange = ([network, bits]: Range): string => `${network.toString()}/${bits}`;

/**
 * Whether an address lies in one of the ranges. `::ffff:203.0.113.7` is 203.0.113.7, as dual-stack sockets report it.
 */
export function isIpInRanges(ip: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((text) => {
    const range = parseIpRange(text);
    return range !== undefined && address.kind() === range[0].kind() && address.match(range);
  });
}

/** Whether every address of `inner` lies in one of the `outer` ranges. */
export function isRangeWithin(inner: string, outer: readonly string[]): boolean {
  const range = parseIpRange(inner);
  if (range === undefined) return false;
  return outer.some((text) => {
    const wider = parseIpRange(text);
    if (wider === undefined || wider[0].kind() !== range[0].kind()) return false;
    return wider[1] <= range[1] && range[0].match(wider);
  });
}
