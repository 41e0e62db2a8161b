import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { SubmissionPorts } from '#platform/smtp/submission-ports.ts';
import type { SubmissionServer } from '#platform/smtp/submission-server.ts';
import { relayCertificate } from './relay-certificate.ts';
import { createRelayServer } from './relay-server.ts';
import { relayRoutes } from './routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createRelaySessionLog } from './sessions/session-log.ts';
import type { SmtpRelayWiring } from './wiring.ts';

/** `off`: by the settings. `no certificate`: other machines may connect, and there is none for them. */
export type RelayState = 'off' | 'no certificate' | { ports: SubmissionPorts; hasOwnCertificate: boolean };

export interface SmtpRelayFeature {
  name: 'smtp-relay';
  routes: Route[];
  /** The log, for every process; it starts before the others. */
  sessionLog: Service;
  /** The listener, for the role smtp. Empty: it is off. */
  services: Service[];
  /** Where it listens now, for the lines of the start. */
  state(): RelayState;
}

export function createSmtpRelayFeature(wiring: SmtpRelayWiring): SmtpRelayFeature {
  const { settings, log } = wiring;
  const sessionLog = createRelaySessionLog(wiring);
  const isOff = settings.smtpRelayPort === 0 && settings.smtpRelaysPort === 0;
  const certificate = isOff ? null : relayCertificate(settings, wiring);
  const server: SubmissionServer | null =
    certificate === null ? null : createRelayServer(wiring, sessionLog, certificate);
  const noCertificate: Service = {
    name: 'SMTP relay',
    async start() {
      log.warn(
        `the SMTP relay does not listen on ${settings.host} without a certificate: set POSTHORN_TLS_CERT and POSTHORN_TLS_KEY, or turn it off with POSTHORN_SMTP_RELAY_PORT=0 and POSTHORN_SMTP_RELAYS_PORT=0`,
      );
    },
    async stop() {},
  };
  return {
    name: 'smtp-relay',
    routes: [
      ...relayRoutes({
        isOn: server !== null,
        ports: { startTls: settings.smtpRelayPort, tls: settings.smtpRelaysPort },
      }),
      ...sessionRoutes({ ...wiring, sessionLog }),
    ],
    sessionLog,
    services: isOff ? [] : [server ?? noCertificate],
    state() {
      if (isOff) return 'off';
      if (server === null) return 'no certificate';
      return { ports: server.ports, hasOwnCertificate: settings.tlsCert === null };
    },
  };
}
