import { clientIp } from '#platform/http/client-ip.ts';
import type { Actor } from '#platform/http/context.ts';
import type { AppPorts } from '#platform/http/ports.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { createUsageSweeper } from '#platform/usage/usage-sweeper.ts';
import { createAuthenticator, type RefusedKey, signInWithKey } from './authentication/authenticator.ts';
import { createKeyLookup } from './authentication/key-lookup.ts';
import { createKeyUseRecorder } from './authentication/key-use-recorder.ts';
import { KEYS_CHANGED } from './queries.ts';
import { apiKeyRoutes } from './routes.ts';
import { rateLimitRoutes } from './usage/routes.ts';
import { readSendLimits } from './usage/send-limits.ts';
import type { ApiKeysWiring } from './wiring.ts';

export interface ApiKeysFeature extends Pick<AppPorts, 'authenticate' | 'readSendLimits'> {
  name: 'api-keys';
  /** The caller that a key stands for, where a key comes another way than by HTTP. */
  signIn(key: string, ip: string): Promise<Actor | RefusedKey>;
  routes: Route[];
  services: Service[];
}

const noneMissing = async (): Promise<readonly string[]> => [];

export function createApiKeysFeature(wiring: ApiKeysWiring): ApiKeysFeature {
  const lookup = createKeyLookup(wiring);
  const recorder = createKeyUseRecorder(wiring);
  // Also after the listening connection was lost: what was missed meanwhile is unknown.
  wiring.listener?.on(KEYS_CHANGED, () => lookup.clear());
  const deps = { ...wiring, lookup, onKeyUsed: recorder.note };
  const authenticate = createAuthenticator(deps);
  const ports = {
    missingDomains: wiring.missingDomains ?? noneMissing,
    missingNewsletters: wiring.missingNewsletters ?? noneMissing,
    keysChanged: () => lookup.clear(),
  };
  return {
    name: 'api-keys',
    routes: [...apiKeyRoutes(ports), ...rateLimitRoutes],
    authenticate: (request) =>
      authenticate({ headers: request.headers, method: request.method, ip: clientIp(request) }),
    signIn: (key, ip) => signInWithKey(deps, key, ip),
    readSendLimits,
    services: [recorder, createUsageSweeper(wiring)],
  };
}
