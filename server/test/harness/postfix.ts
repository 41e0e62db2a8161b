import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './posthorn-process.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

/**
 * Mail servers that none of us wrote, from the Debian package `postfix`: a whole Postfix that delivers into files, and
 * its `smtp-sink`. Both run on loopback out of a temporary folder and touch nothing of an installed one. Postfix needs
 * root, because it changes users; where that or the package is missing, tests say so and pass over.
 */
export interface Postfix {
  port: number;
  /** Believe this for STARTTLS. */
  ca: string;
  /** Messages delivered so far: what arrived, without the three lines that the delivery itself puts on top. */
  delivered(): Promise<Buffer[]>;
  /** The same with the address of the envelope each was delivered to; one message to two people is two of these. */
  deliveries(): Promise<Delivery[]>;
  stop(): Promise<void>;
}

export interface Delivery {
  to: string;
  from: string;
  message: Buffer;
}

export const postfixMissing: string | false = !existsSync('/usr/sbin/postfix')
  ? 'Postfix is not installed (Debian package postfix)'
  : process.getuid?.() !== 0
    ? 'Postfix needs root'
    : false;

export const smtpSinkMissing: string | false = existsSync('/usr/sbin/smtp-sink')
  ? false
  : 'smtp-sink is not installed (Debian package postfix)';

const run = promisify(execFile);

export interface PostfixOptions {
  /** A server of Postfix's policy protocol on loopback that is asked about every recipient. */
  policyPort?: number;
  /**
   * Takes mail for gone.example and late.example, too; that for the first is returned, that for the second is warned
   * about and kept. Mail for this domain, such as what is returned, goes to that port of loopback.
   */
  returns?: { domain: string; port: number };
  /** Hands mail for relayed.example to this server on loopback, with a password and TLS: a smarthost. */
  smarthost?: { port: number; user: string; password: string };
}

export async function startPostfix(options: PostfixOptions = {}): Promise<Postfix> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postfix-'));
  const port = await freePort();
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  const { cert, key } = selfSignedCertificate();
  const at = (name: string): string => path.join(folder, name);
  await Promise.all(['conf', 'queue', 'data', 'mail'].map((name) => mkdir(at(name), { mode: 0o755 })));
  await chmod(folder, 0o755); // its processes run as another user and must get in
  await Promise.all(['data', 'mail'].map((name) => chown(at(name), uid, gid)));
  await writeFile(at('conf/chain.pem'), `${key}${cert}`, { mode: 0o600 });
  await writeFile(at('conf/main.cf'), mainCf(folder, uid, gid, options));
  await writeFile(at('conf/master.cf'), masterCf(port));
  await run('/usr/sbin/postfix', ['-c', at('conf'), 'start']);
  const readBox = async (): Promise<Buffer[]> => {
    const box = at('mail/all/new');
    const files = existsSync(box) ? await readdir(box) : [];
    return Promise.all(files.map((file) => readFile(path.join(box, file))));
  };
  return {
    port,
    ca: cert,
    async delivered() {
      return (await readBox()).map(withoutDeliveryLines);
    },
    async deliveries() {
      return (await readBox()).map((file) => ({
        to: deliveryLine(file, 'Delivered-To'),
        from: deliveryLine(file, 'Return-Path').replace(/^<|>$/g, ''),
        message: withoutDeliveryLines(file),
      }));
    },
    async stop() {
      await run('/usr/sbin/postfix', ['-c', at('conf'), 'stop']).catch(() => undefined); // it may have ended already
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Postfix's own sink, which throws everything away: what throughput is measured against. */
export async function startDebianSmtpSink(): Promise<{ port: number; stop(): Promise<void> }> {
  if (smtpSinkMissing !== false) throw new Error(smtpSinkMissing);
  const port = await freePort();
  const child = spawn('/usr/sbin/smtp-sink', ['-u', 'nobody', `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' });
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error('smtp-sink did not start');
  return {
    port,
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** Return-Path, X-Original-To and Delivered-To. */
function withoutDeliveryLines(file: Buffer): Buffer {
  return Buffer.from(
    file.toString('latin1').replace(/^(Return-Path|X-Original-To|Delivered-To): .*\n/gm, ''),
    'latin1',
  );
}

const deliveryLine = (file: Buffer, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(file.toString('latin1'))?.[1] ?? '';

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [flag, 'postfix'])).stdout);
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const mainCf = (
  folder: string,
  uid: number,
  gid: number,
  { policyPort, returns, smarthost }: PostfixOptions,
): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = postfix.example.net
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
local_transport = error:none
default_transport = error:none
virtual_mailbox_domains = example.net
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${gid}
virtual_minimum_uid = 1
message_size_limit = 2000000
maillog_file = /dev/null
maillog_file_prefixes = /dev
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access inline:{nobody@example.net=REJECT, busy@example.net=DEFER}${
  policyPort === undefined ? '' : `, check_policy_service inet:127.0.0.1:${policyPort}`
}
smtpd_tls_security_level = may
smtpd_tls_chain_files = ${folder}/conf/chain.pem
smtputf8_enable = no
biff = no
smtpd_forbid_bare_newline = yes
${returns === undefined ? '' : returnsCf(returns)}${smarthost === undefined ? '' : smarthostCf(smarthost)}`;

// Recipients that are no good are only found out after their mail was taken. Nobody listens on port 9.
const returnsCf = ({ domain, port }: { domain: string; port: number }): string => `
relay_domains = gone.example, late.example
transport_maps = inline:{ {${domain} = smtp:[127.0.0.1]:${port}}, {gone.example = error:5.1.1 User unknown}, {late.example = smtp:[127.0.0.1]:9} }
smtpd_reject_unlisted_recipient = no
smtp_tls_security_level = may
delay_warning_time = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
`;

const smarthostCf = ({ port, user, password }: NonNullable<PostfixOptions['smarthost']>): string => `
relay_domains = relayed.example
transport_maps = inline:{ {relayed.example = smtp:[127.0.0.1]:${port}} }
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = inline:{ {[127.0.0.1]:${port} = ${user}:${password}} }
smtp_sasl_security_options = noanonymous
smtp_tls_security_level = encrypt
`;

// Nothing is chrooted: the services find their libraries and the folder as they are.
const masterCf = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
smtp unix - - n - - smtp
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
