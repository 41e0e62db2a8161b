import type { RefusedKey } from '#features/api-keys';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { BodyBudget } from '#platform/http/body/body-budget.ts';
import type { Actor } from '#platform/http/context.ts';
import type { Log } from '#platform/log.ts';
import type { SubmissionLimits } from '#platform/smtp/submission-rules.ts';
import type { LaterPorts } from './submission/accept-message.ts';

/** The dependencies of this feature, given by main. */
export interface SmtpRelayWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  /** Shared with HTTP: the bytes of messages and bodies that this process holds at once. */
  bodyBudget: BodyBudget;
  signInWithKey(key: string, ip: string): Promise<Actor | RefusedKey>;
  findHomeWorkspaceId(db: Db): Promise<string>;
  later: LaterPorts;
  limits?: Partial<SubmissionLimits>;
}
