import type { Reaction } from '#platform/announcements.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { tallyService } from '#platform/tally/fold-tally.ts';
import { runTally } from './counts-queries.ts';
import { forgetOldService } from './forget-old.ts';
import { automationReactions } from './hearing/reactions.ts';
import { automationRoutes } from './routes.ts';
import { runRoutes } from './reading/routes.ts';
import { createRunService } from './run-service.ts';
import { simulationRoutes } from './simulating/routes.ts';
import type { AutomationsWiring } from './wiring.ts';

export interface AutomationsFeature {
  name: 'automations';
  routes: readonly Route[];
  reactions: readonly Reaction[];
  services: { ofWorker: Service[] };
}

export const createAutomationsFeature = (wiring: AutomationsWiring): AutomationsFeature => ({
  name: 'automations',
  routes: [...automationRoutes(wiring), ...runRoutes(), ...simulationRoutes],
  reactions: automationReactions(wiring.secrets),
  services: { ofWorker: [createRunService(wiring), foldRuns(wiring), forgetOldService(wiring)] },
});

const foldRuns = ({ db, clock, log }: AutomationsWiring): Service =>
  tallyService(runTally, {
    db,
    clock,
    log,
    name: 'folding of automation counts',
    everyMs: 5_000,
    failure: 'the counts of automations could not be folded; trying again',
  });
