/**
 * Which addresses a URL of somebody else may lead to.
 *
 * The list of ranges is the one of ipaddr.js, which follows the IANA special-purpose registries. Stricter than it in
 * two ways: IPv6 must be global unicast (2000::/3; the rest is not given out), and a few addresses inside the public
 * ranges belong to the machine's own surroundings.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** `allowed` is inside one of the operator's CIDRs, whatever it would be otherwise. */
export type Judgement = 'public' | 'allowed' | 'refused';

export interface AddressRules {
  judge(address: string): Judgement;
}

const GLOBAL_UNICAST: Cidr = ipaddr.parseCIDR('2000::/3');
/** The host of an Azure machine: DNS, and the keys of its extensions. A public address that is never public. */
const AZURE_HOST: Cidr = ipaddr.parseCIDR('168.63.129.16/32');

export function createAddressRules(allow: readonly string[]): AddressRules {
  const allowed = allow.map((cidr) => ipaddr.parseCIDR(cidr));
  return {
    judge(text) {
      const address = readAddress(text);
      if (address === undefined) return 'refused';
      if (allowed.some((cidr) => isWithin(address, cidr))) return 'allowed';
      return isPublic(address) ? 'public' : 'refused';
    },
  };
}

/** One spelling for each address: IPv4 mapped into IPv6 is IPv4. Empty when it is none, or only means one on a link. */
export const canonicalAddress = (text: string): string => readAddress(text)?.toString() ?? '';

function readAddress(text: string): Address | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js reads the dotted tail of `::8.8.8.8` as a mapped IPv4 address, and the kernel does not: so hex first.
  if (!URL.canParse(`http://[${text}]`)) return undefined;
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isWithin(address, AZURE_HOST)) return false;
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_UNICAST);
}

const isWithin = (address: Address, cidr: Cidr): boolean => address.kind() === cidr[0].kind() && address.match(cidr);
