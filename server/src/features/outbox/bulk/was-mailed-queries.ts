import { type RawBuilder, sql } from 'kysely';

/** Whether a bulk send has an email for this address that was not stopped before it left: one probe of an index. */
export const wasMailed = (
  workspaceId: string,
  sendId: RawBuilder<unknown>,
  email: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  exists (select from emails m
           where m.workspace_id = ${workspaceId} and m.send_id = ${sendId} and m.lane = 2 and m.recipient = ${email}
             and m.status not in ('suppressed', 'cancelled'))`;
