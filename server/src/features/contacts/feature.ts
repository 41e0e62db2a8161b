import { peopleErased } from '#features/consents';
import type { AuditLog } from '#features/audit';
import type { TransferTarget } from '#features/transfers';
import type { Settings } from '#platform/config/settings.ts';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { bulkServices } from './bulk/services.ts';
import { contactExports } from './export/export-source.ts';
import { exportRoutes } from './export/routes.ts';
import { listImports } from './imports/list-imports.ts';
import { importRoutes } from './imports/routes.ts';
import { listRoutes } from './lists/routes.ts';
import { purgeContactsService } from './purge-contacts.ts';
import { eraseContacts } from './remove-contacts.ts';
import { contactRoutes } from './routes.ts';
import { segmentRoutes } from './segments/routes.ts';

export interface ContactsFeature {
  name: 'contacts';
  routes: Route[];
  reactions: Reaction[];
  services: { ofWorker: Service[] };
  /** For transfers: files into lists, and of contacts. */
  transferTarget: TransferTarget;
}

export const createContactsFeature = (parts: {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  settings: Settings;
  audit: AuditLog;
}): ContactsFeature => ({
  name: 'contacts',
  transferTarget: { type: 'list', imports: listImports(parts), exports: contactExports(parts) },
  routes: [...contactRoutes, ...bulkRoutes, ...exportRoutes, ...importRoutes(parts), ...listRoutes, ...segmentRoutes],
  reactions: [reactionTo(peopleErased, (tx, people) => eraseContacts(tx, parts.secrets, people))],
  services: { ofWorker: [purgeContactsService(parts), ...bulkServices(parts)] },
});
