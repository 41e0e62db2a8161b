import { newslettersOfKey } from '#features/workspaces';
import { forbidden, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { scopeOf, type TargetType } from '../target-type.ts';
import { findOptionsOfHeader } from './import-queries.ts';
import { headerOf } from './layout.ts';

/** The meanings that the last import of a file with these columns had, for somebody to look at before they count. */
export async function rememberedMap(ctx: Ctx, type: TargetType, columns: string) {
  const scope = scopeOf(type, 'read');
  if (!ctx.actor.may(scope)) throw forbidden(`Imports into a ${type} need the scope "${scope}".`);
  const filter = { newsletterId: null, allowedNewsletterIds: newslettersOfKey(ctx.actor), types: [type] };
  const found = await findOptionsOfHeader(ctx.db, ctx.workspaceId, headerOf(readColumns(columns)), filter);
  return {
    import_id: found?.id ?? null,
    column_map: found?.options.columnMap ?? null,
    other_columns: found?.options.otherColumns ?? null,
  };
}

function readColumns(text: string): string[] {
  try {
    const read: unknown = JSON.parse(text);
    if (Array.isArray(read) && read.every((one) => typeof one === 'string')) return read;
  } catch {
    // It is no list of names, as below.
  }
  throw invalid('columns', 'columns must be a JSON array with the names of the columns, in their order');
}
