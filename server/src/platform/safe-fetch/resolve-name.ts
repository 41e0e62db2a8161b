/**
 * The addresses of a name, by the DNS servers of the machine.
 *
 * c-ares asks them without occupying a thread. getaddrinfo would hold one of the four threads of the pool, which
 * also sign mail, for as long as a customer's dead name servers like. It is only asked about names that DNS says do not
 * exist, because it knows the hosts file and search domains (a container's neighbours), and by two at a time.
 */
import { lookup as lookupBySystem, Resolver } from 'node:dns/promises';

/** All addresses of a name, in the order in which they should be tried. Throws when there are none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** Per server and try. */
const answerMsMax = 1_500;
const triesMax = 2;
const systemLookupsMax = 2;
/** The errors of c-ares when it has no servers, or they know no such name: both worth asking the system about. */
const ASK_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ENONAME', 'EBADNAME']);

export interface LookupOptions {
  /** The name servers; those of the machine when left out. */
  servers?: readonly string[];
  /** Asked about names that they do not know; getaddrinfo when left out. */
  askSystem?: Lookup;
  answerMsMax?: number;
}

export function createLookup(options: LookupOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: options.answerMsMax ?? answerMsMax, tries: triesMax });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const lookupOfSystem = options.askSystem ?? getAddresses;
  let systemLookups = 0;
  const askSystem: Lookup = async (name) => {
    if (systemLookups >= systemLookupsMax) throw new Error('too many names are being looked up by the system');
    systemLookups += 1;
    try {
      return await lookupOfSystem(name);
    } finally {
      systemLookups -= 1;
    }
  };
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const codes = answers.map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : 'ENODATA'));
    if (codes.every((code) => ASK_SYSTEM.has(code))) return askSystem(name);
    throw new Error(`the name servers answered ${codes.join(' and ')}`);
  };
}

const getAddresses: Lookup = async (name) =>
  (await lookupBySystem(name, { all: true, verbatim: true })).map(({ address }) => address);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
