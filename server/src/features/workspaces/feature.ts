import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { type BackgroundWork, createBackgroundWork } from './accounts/background-work.ts';
import { ownAccountRoutes } from './accounts/own-account/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { twoFactorRoutes } from './accounts/two-factor/routes.ts';
import { inviteRoutes } from './invites/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { accountPageRoutes } from './pages/routes.ts';
import { workspaceRoutes } from './routes.ts';
import { securityLogRoutes } from './security-log/routes.ts';
import { createSignInHousekeeping } from './sign-in-housekeeping.ts';
import type { WorkspacesWiring } from './wiring.ts';

export interface WorkspacesFeature {
  name: 'workspaces';
  routes: Route[];
  /** Mails under way; a test waits for `settled()`. Stop it before the database closes. */
  background: BackgroundWork;
  services(deps: { db: Db; clock: Clock; log: Log }): Service[];
}

export function createWorkspacesFeature(wiring: WorkspacesWiring): WorkspacesFeature {
  const background = createBackgroundWork();
  return {
    name: 'workspaces',
    routes: [
      ...accountRoutes(wiring, background),
      ...ownAccountRoutes(wiring),
      ...twoFactorRoutes,
      ...workspaceRoutes(wiring),
      ...memberRoutes(wiring),
      ...inviteRoutes(wiring),
      ...accountPageRoutes(wiring),
      ...securityLogRoutes,
    ],
    background,
    services: (deps) => [background, createSignInHousekeeping(deps)],
  };
}
