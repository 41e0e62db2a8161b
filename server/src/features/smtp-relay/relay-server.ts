import ipaddr from 'ipaddr.js';
import { requireSenderDomain } from '#features/emails';
import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import { inTurnOf } from '#platform/db/connections/fair-turns.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { CertificateSource } from '#platform/smtp/certificate-files.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import type { SubmissionPeer, SubmissionRules } from '#platform/smtp/submission-rules.ts';
import { createSubmissionServer, type SubmissionServer } from '#platform/smtp/submission-server.ts';
import type { RelaySessionLog } from './sessions/session-log.ts';
import { createWrongLogins } from './sessions/wrong-logins.ts';
import { acceptMessage } from './submission/accept-message.ts';
import { createFloodLimit } from './submission/flood-limit.ts';
import { refusalOfSender } from './submission/refusals.ts';
import type { RelayUser } from './submission/relay-user.ts';
import { signIn } from './submission/sign-in.ts';
import type { SmtpRelayWiring } from './wiring.ts';

/** The listener of the relay, with its rules. */
export function createRelayServer(
  wiring: SmtpRelayWiring,
  sessionLog: RelaySessionLog,
  certificate: CertificateSource,
): SubmissionServer {
  const { settings, limits } = wiring;
  const portOf = (setting: number): number | null => (setting === 0 ? null : setting);
  return createSubmissionServer({
    name: 'SMTP relay',
    log: wiring.log,
    clock: wiring.clock,
    host: settings.host,
    ports: { startTls: portOf(settings.smtpRelayPort), implicitTls: portOf(settings.smtpRelaysPort) },
    hostname: new URL(settings.publicUrl).hostname,
    certificate,
    isTrustedProxy: (address) => isWithin(address, settings.trustProxy),
    mayAuthInClear: (address) =>
      settings.smtpRelayAllowInsecureAuth === 'on' ||
      (settings.smtpRelayAllowInsecureAuth === 'loopback' && isWithin(address, LOOPBACK)),
    rules: relayRules(wiring, sessionLog),
    ...(limits === undefined ? {} : { limits }),
  });
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function relayRules(wiring: SmtpRelayWiring, sessionLog: RelaySessionLog): SubmissionRules<RelayUser> {
  const signInWiring = { ...wiring, sessionLog, wrongLogins: createWrongLogins(wiring) };
  const refuseFlood = createFloodLimit(wiring, wiring.settings.smtpRelayPerMinute);
  return {
    async signIn(peer, password) {
      const user = await signIn(signInWiring, peer, password);
      if (user.actor.apiKey !== null) sessionLog.signedIn(user.actor.apiKey, peer);
      return user;
    },
    async checkSender(user, peer, address) {
      // Again: the key may have been revoked, or changed, since the client signed in.
      user.actor = (await signIn(signInWiring, peer, user.key)).actor;
      await refuseFlood(user.actor.apiKey?.id ?? '');
      if (address === '') return;
      const { domain } = readAddress(address);
      const ctx = ctxOf(wiring, user, peer);
      await inTurnOf(user.workspaceId, () => requireSenderDomain(ctx, domain)).catch((error: unknown) => {
        throw refusalOfSender(error);
      });
    },
    checkRecipient: (address) => void readAddress(address),
    hold: (user, bytes) => wiring.bodyBudget.take(user.workspaceId, bytes),
    async accept(user, peer, message) {
      const ctx = ctxOf(wiring, user, peer);
      const jobId = await inTurnOf(user.workspaceId, () => acceptMessage(ctx, message, wiring.later));
      if (user.actor.apiKey !== null) sessionLog.accepted(user.actor.apiKey, peer, jobId);
      return `Queued as ${jobId}`;
    },
    onRefusal(user, peer, refusal) {
      if (user.actor.apiKey !== null) sessionLog.refused(user.actor.apiKey, peer, refusal);
    },
    onEnded: (peer) => sessionLog.ended(peer),
  };
}

const ctxOf = (wiring: SmtpRelayWiring, { actor, workspaceId }: RelayUser, peer: SubmissionPeer): Ctx => ({
  workspaceId,
  actor,
  db: wiring.db,
  clock: wiring.clock,
  log: wiring.log,
  requestId: peer.id,
  ip: peer.address,
  settings: wiring.settings,
  secrets: wiring.secrets,
});

/** Read as strictly as everywhere: no two parsers may find two addresses in it. */
function readAddress(address: string): { domain: string } {
  try {
    return parseMailbox(address);
  } catch (error) {
    if (error instanceof AddressError) throw new SmtpReply(553, error.reason, '5.1.3');
    throw error;
  }
}

function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === read.kind() && read.match(network, bits);
  });
}
