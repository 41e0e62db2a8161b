import ipaddr from 'ipaddr.js';

/**
 * Networks of companies that look at the links in other people's mail and call themselves a browser while they do,
 * from the registries' own entries for them. A visitor who is wrongly in this list has to press a button: nothing is
 * lost.
 */
const KNOWN = [
  // Proofpoint
  '67.231.144.0/20',
  '148.163.128.0/19',
  '205.220.160.0/19',
  '185.132.180.0/22',
  '185.183.28.0/22',
  // Barracuda
  '64.235.144.0/20',
  '209.222.80.0/21',
  // Mimecast
  '205.139.110.0/23',
  '207.211.30.0/23',
  '170.10.128.0/19',
  // MessageLabs (Symantec, Broadcom)
  '67.219.240.0/20',
  '85.158.136.0/21',
  '216.82.240.0/20',
  // Trend Micro
  '150.70.0.0/16',
];

type Network = ReturnType<typeof ipaddr.parseCIDR>;

const read = new WeakMap<readonly string[], Network[]>();

/** Whether an address belongs to a scanner that is known, or to one of the networks that the operator named. */
export function isScannerNetwork(address: string, named: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  let networks = read.get(named);
  if (networks === undefined) {
    networks = [...KNOWN, ...named].map((cidr) => ipaddr.parseCIDR(cidr));
    read.set(named, networks);
  }
  return networks.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));
}
