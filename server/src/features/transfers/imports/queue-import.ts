import { onCommit } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { AuditLog } from '#features/audit';
import type { Import } from './import.ts';
import { queueUpload } from './import-queries.ts';
import type { ReceivedFile } from './receive-file.ts';

/** Hands a file that has arrived to the workers. */
export async function queueImport(ctx: Ctx, received: ReceivedFile, audit: AuditLog): Promise<Import> {
  const queued = await queueUpload(ctx.db, ctx.workspaceId, received.importId, received.start);
  if (queued === undefined) throw conflict('The upload was given up. Send the file again.');
  const { onConflict, dryRun, alreadyConfirmed } = queued.options;
  onCommit(ctx.db, () =>
    audit.record(ctx, {
      action: 'import.created',
      targetType: queued.targetType,
      targetId: queued.targetId,
      details: {
        ...(received.listName === null ? {} : { name: received.listName }),
        import_id: queued.id,
        bytes: queued.bytes,
        on_conflict: onConflict,
        dry_run: dryRun,
        already_confirmed: alreadyConfirmed,
      },
    }),
  );
  return queued;
}
