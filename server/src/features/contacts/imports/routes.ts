import type { AuditLog } from '#features/audit';
import { fileUpload } from '#features/transfers';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Route, route } from '#platform/http/route.ts';
import { listImports } from './list-imports.ts';

export const importRoutes = (wiring: {
  secrets: Secrets;
  clock: Clock;
  settings: Settings;
  audit: AuditLog;
}): Route[] => [
  route({
    method: 'POST',
    path: '/v1/lists/:id/import',
    id: 'import_contacts',
    tag: 'Contacts',
    summary: 'Import contacts from a file into a list',
    description:
      'CSV or JSON Lines in UTF-8, up to 512 MB. The answer is an import that runs in the background; follow it at ' +
      '`GET /v1/imports/:id`. It adds contacts and puts them on the list. Nobody comes back who unsubscribed, left the ' +
      'list, is suppressed or was erased: such a row counts as skipped. A value of another type than its property has ' +
      'is a failed row. Columns become properties by `column_map` (`metadata.<key>`) or `other_columns=metadata`.',
    access: { scope: 'contacts:write' },
    example: { body: 'email,first_name\nada@example.com,Ada\nbob@example.com,Bob\n' },
    ...fileUpload(
      {
        type: 'list',
        target: listImports(wiring),
        idDescription: 'Of the list.',
      },
      wiring,
    ),
  }),
];
