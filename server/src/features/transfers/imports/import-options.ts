import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Static } from 'typebox';
import type { ImportQuery } from '../schemas.ts';
import type { ImportOptions } from './import.ts';
import { type LayoutRules, readColumnMap } from './layout.ts';

/** Throws 400 (param) for what is wrong in itself, 422 for what contradicts each other. */
export function readImportOptions(rules: LayoutRules, query: Static<typeof ImportQuery>): ImportOptions {
  const options: ImportOptions = {
    onConflict: query.on_conflict ?? 'skip',
    dryRun: query.dry_run === 'true',
    alreadyConfirmed: query.consent === 'already_confirmed',
    sendConfirmation: query.send_confirmation === 'true',
    emitEvents: query.emit_events === 'true',
    source: sourceOf(query.source),
    columnMap: readColumnMap(rules, query.column_map),
    otherColumns: query.other_columns ?? 'ignore',
  };
  if (options.alreadyConfirmed && options.sendConfirmation) {
    throw unacceptable('send_confirmation', 'People who have confirmed already are not asked again.');
  }
  return options;
}

function sourceOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const source = text.trim();
  if (source === '') throw invalid('source', 'source must not be empty');
  return source;
}
