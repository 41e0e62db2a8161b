/** Hosts of DNS zones, known by their name servers, and the steps to publish records there. */
export interface DnsHost {
  id: string;
  name: string;
  /** In order; the fields of a record are called as they are there. */
  steps: readonly string[];
  /** Its form takes a text in quotation marks, in strings of 255 bytes. */
  takesStrings: boolean;
}

interface KnownHost extends DnsHost {
  servers: RegExp;
}

const ONE_STRING = 'Paste the value in one piece. The host splits long values by itself.';
const STRINGS =
  'Paste the value in quotation marks, as it is shown: a long one is several strings, with a space between.';
const AT_SIGN = 'For the domain itself the name is @.';

const KNOWN: readonly KnownHost[] = [
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    takesStrings: false,
    steps: [
      'Sign in at dash.cloudflare.com, choose the domain, and open DNS, Records.',
      'Choose "Add record". Put the name into "Name" and the value into "Content", and leave TTL on Auto.',
      'TXT and MX records have no proxy. A record of another type must be "DNS only".',
      'Or add all at once: "Import and Export", then the zone file.',
    ],
  },
  {
    id: 'route53',
    name: 'Amazon Route 53',
    servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    takesStrings: true,
    steps: [
      'Open Route 53, Hosted zones, and choose the domain.',
      'Choose "Create record", put the name into "Record name", and choose the type.',
      STRINGS,
      'For the domain itself leave "Record name" empty. Or add all at once: "Import zone file".',
    ],
  },
  {
    id: 'godaddy',
    name: 'GoDaddy',
    servers: /\.domaincontrol\.com$/,
    takesStrings: false,
    steps: [
      'Sign in, open the Domain Portfolio, choose the domain, and open DNS.',
      'Choose "Add New Record" and the type. Put the name into "Name" and the value into "Value".',
      AT_SIGN,
    ],
  },
  {
    id: 'namecheap',
    name: 'Namecheap',
    servers: /\.registrar-servers\.com$/,
    takesStrings: false,
    steps: [
      'Open Domain List, choose "Manage" beside the domain, and open Advanced DNS.',
      'Choose "Add New Record" and "TXT Record". Put the name into "Host" and the value into "Value".',
      `${AT_SIGN} An MX record is added under "Mail Settings", "Custom MX".`,
    ],
  },
  {
    id: 'gandi',
    name: 'Gandi',
    servers: /\.gandi\.net$/,
    takesStrings: true,
    steps: [
      'Open Domain, choose the domain, and open DNS Records.',
      'Choose "Add record" and the type.',
      STRINGS,
      AT_SIGN,
    ],
  },
  {
    id: 'hetzner',
    name: 'Hetzner',
    servers: /\.(ns\.hetzner\.(com|de)|first-ns\.de|second-ns\.(de|com))$/,
    takesStrings: true,
    steps: [
      'Open the DNS zone of the domain in the Hetzner Console.',
      'Add a record and choose the type.',
      STRINGS,
      AT_SIGN,
    ],
  },
  {
    id: 'ovh',
    name: 'OVHcloud',
    servers: /\.(ovh\.(net|ca)|anycast\.me)$/,
    takesStrings: false,
    steps: [
      'Open Web Cloud, Domain names, choose the domain, and open DNS zone.',
      'Choose "Add an entry" and the type TXT, also for SPF and DKIM. Put the name into "Sub-domain".',
      'For the domain itself leave "Sub-domain" empty.',
    ],
  },
  {
    id: 'ionos',
    name: 'IONOS',
    servers: /\.ui-dns\.(com|de|org|biz)$/,
    takesStrings: false,
    steps: [
      'Open Domains & SSL, choose the domain, and open DNS.',
      'Choose "Add record" and the type. Put the name into "Host name" and the value into "Value".',
      AT_SIGN,
    ],
  },
  {
    id: 'squarespace',
    name: 'Squarespace (Google Domains)',
    servers: /\.(googledomains\.com|squarespacedns\.com|squarespace-dns\.com)$/,
    takesStrings: false,
    steps: [
      'Open Domains, choose the domain, and open DNS, DNS Settings. In Google Cloud open Cloud DNS and the zone.',
      'Add a custom record. Put the name into "Host" and the value into "Data".',
      AT_SIGN,
    ],
  },
  {
    id: 'digitalocean',
    name: 'DigitalOcean',
    servers: /^ns\d\.digitalocean\.com$/,
    takesStrings: false,
    steps: [
      'Open Networking, Domains, and choose the domain.',
      'Open the tab of the type. Put the name into "Hostname" and the value into "Value".',
      AT_SIGN,
    ],
  },
  {
    id: 'vercel',
    name: 'Vercel',
    servers: /\.vercel-dns(-\d+)?\.com$/,
    takesStrings: false,
    steps: [
      'Open Domains, choose the domain, and find DNS Records.',
      'Put the name into "Name", choose the type, put the value into "Value", and choose "Add".',
      'For the domain itself leave "Name" empty.',
    ],
  },
  {
    id: 'netlify',
    name: 'Netlify',
    servers: /^dns\d\.p\d+\.nsone\.net$/,
    takesStrings: false,
    steps: [
      'Open Domain management, choose the domain, and find DNS records.',
      'Choose "Add new record" and the type. Put the name into "Name" and the value into "Value".',
      AT_SIGN,
    ],
  },
];

const OTHER: DnsHost = {
  id: 'other',
  name: 'Your DNS host',
  takesStrings: false,
  steps: [
    'Sign in where the DNS of the domain is kept: often where the domain was bought. Open its DNS records.',
    'Add a record for each of those below, with its type, name and value.',
    `Most hosts add the domain to the name by themselves. ${AT_SIGN}`,
    ONE_STRING,
  ],
};

/** The host of a zone with these name servers; all of them must be of one host, or it is the general one. */
export function dnsHostOf(nameServers: readonly string[] | null): DnsHost {
  const [first] = nameServers ?? [];
  const known = first === undefined ? undefined : KNOWN.find(({ servers }) => servers.test(first));
  return known !== undefined && nameServers?.every((server) => known.servers.test(server)) === true ? known : OTHER;
}
