import { createHash } from 'node:crypto';
import { AppError, forbidden, invalid, notFound, unacceptable } from '#platform/errors/app-error.ts';
import { Faults } from '#platform/errors/faults.ts';
import { type FormPart, formParts } from '#platform/http/body/multipart-stream.ts';
import type { Received, StreamedPieces } from '#platform/http/body/streamed-body.ts';
import type { Ctx } from '#platform/http/context.ts';
import { fieldReader } from '#platform/http/fields/read-fields.ts';
import { compileCheck, sentencesOf, withoutMeant } from '#platform/http/validation.ts';
import { isUuid } from '#platform/ids.ts';
import type { Static } from 'typebox';
import { ImportForm } from '../schemas.ts';
import { scopeOf, TARGET_TYPES, type TargetType } from '../target-type.ts';
import { targetOf, type TransferTargets } from '../transfer-target.ts';
import { readImportOptions } from './import-options.ts';
import { type Aim, receiveFile, type ReceivedFile } from './receive-file.ts';

const FIELD_BYTES_MAX = 16_384;
const check = compileCheck(ImportForm);
const readFields = fieldReader(ImportForm, { refusesNearMisses: true });

interface Asked {
  targets: TransferTargets;
  contentType: string;
  /** Told the fields that no import has. */
  ignored(names: readonly string[]): void;
}

/**
 * Receives a file with its target and options as the fields of one form, which may stand behind the file: they are
 * judged when all of the form is here. The fields before the file are also judged before its first byte is read.
 */
export async function receiveForm(
  ctx: Ctx,
  { targets, contentType, ignored }: Asked,
  pieces: StreamedPieces,
): Promise<Received & { value: ReceivedFile }> {
  const parts = formParts(contentType, pieces);
  const fields = new Map<string, string>();
  try {
    const file = await nextFile(parts, fields);
    if (file === undefined) throw invalid('file', 'file is required');
    await judgeEarly(ctx, targets, fields);
    const received = await receiveFile(ctx, { pieces: file.bytes, upload: pieces }, async () => {
      if ((await nextFile(parts, fields)) !== undefined) throw invalid('file', 'file was given twice');
      ignored(readForm(fields).unknown);
      return aimOf(ctx, targets, fields, file.fileName ?? '');
    });
    const told = JSON.stringify([...fields].toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const fingerprint = createHash('sha256').update(received.fingerprint).update(told).digest('hex');
    return { ...received, fingerprint };
  } catch (error) {
    throw inField(error);
  } finally {
    await parts.return(undefined);
  }
}

/** A file that is a whole body is called `body` when it is at fault. In a form it has a name. */
const inField = (error: unknown): unknown =>
  error instanceof AppError && error.extras.param === 'body'
    ? new AppError(error.name, error.message, { ...error.extras, param: 'file' })
    : error;

/** Reads the fields before the next file; undefined: the form has no more files. */
async function nextFile(parts: AsyncGenerator<FormPart>, fields: Map<string, string>): Promise<FormPart | undefined> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const { name, bytes, fileName } = next.value;
    if (name === 'file') return next.value;
    if (fileName !== null) throw invalid(name.slice(0, 100), 'Only the field file takes a file');
    if (fields.has(name)) throw invalid(name.slice(0, 100), `${name.slice(0, 100)} was given twice`);
    fields.set(name, await textOf(name, bytes));
  }
  return undefined;
}

async function textOf(name: string, bytes: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > FIELD_BYTES_MAX) throw invalid(name.slice(0, 100), `${name.slice(0, 100)} is too long`);
    pieces.push(Buffer.from(piece));
  }
  const text = Buffer.concat(pieces).toString('utf8');
  if (/[\0\ufffd]/.test(text)) throw invalid(name.slice(0, 100), `${name.slice(0, 100)} must be UTF-8 without NUL`);
  return text;
}

/** Refuses the fields that have come for what is wrong with them, and nothing for a field that may still come. */
async function judgeEarly(ctx: Ctx, targets: TransferTargets, given: Map<string, string>): Promise<void> {
  const { fields, faults } = readForm(given);
  const isGiven = (param: string): boolean => param !== 'file' && Object.hasOwn(fields, topLevelOf(param));
  const found = [...faults, ...check(fields)].filter(({ param }) => isGiven(param));
  new Faults(sentencesOf(withoutMeant(found), 'body')).throwIfAny();
  if (!Object.hasOwn(fields, 'target')) return;
  try {
    await aimOf(ctx, targets, given, '');
  } catch (error) {
    const param = error instanceof AppError ? error.extras.param : undefined;
    if (param === undefined || isGiven(param)) throw error;
  }
}

const topLevelOf = (param: string): string => /^[^.[]*/.exec(param)?.[0] ?? param;

/** The fields that are not empty, by our names. */
function readForm(given: Map<string, string>) {
  const written = [...given].filter(([, value]) => value !== '');
  const { value, faults, unknown } = readFields({ file: '', ...Object.fromEntries(written) });
  return { fields: value as Record<string, string>, faults, unknown }; // it renames fields and changes none
}

async function aimOf(ctx: Ctx, targets: TransferTargets, given: Map<string, string>, fileName: string): Promise<Aim> {
  const { fields, faults } = readForm(given);
  new Faults(sentencesOf(withoutMeant([...faults, ...check(fields)]), 'body')).throwIfAny();
  const { target: written, file: _file, ...query } = fields as Static<typeof ImportForm>; // checked just now
  const { type, id = ctx.workspaceId } = readTarget(written);
  const scope = scopeOf(type, 'write');
  if (!ctx.actor.may(scope)) throw forbidden(`An import into a ${type} needs the scope "${scope}".`);
  if (!isUuid(id)) throw notFound(type, id.slice(0, 100));
  const target = targetOf(targets, type).imports;
  const options = readImportOptions(target.layout, query);
  const name = await target.authorise(ctx, id, options);
  const format = /\.(jsonl|ndjson)(\.gz)?$/i.test(fileName)
    ? 'jsonl'
    : /\.(csv|tsv)(\.gz)?$/i.test(fileName)
      ? 'csv'
      : null;
  return { type, id, name, target, options, format };
}

/** Without an id: the suppressions, of which a workspace has one list. */
function readTarget(written: string): { type: TargetType; id?: string } {
  const [named, id] = written.startsWith('{') ? readObject(written) : written.split(':');
  const type = TARGET_TYPES.find((known) => known === named);
  if (type !== undefined && typeof id === 'string') return { type, id };
  if (type === 'suppression' && id === undefined) return { type };
  throw unacceptable('target', 'target names a newsletter or a list with its id, or is suppression.');
}

function readObject(written: string): unknown[] {
  try {
    const { type, id } = Object(JSON.parse(written)) as Record<string, unknown>; // whatever it is, it has properties
    return [type, id];
  } catch {
    throw invalid('target', 'target must be JSON such as {"type":"list","id":"…"}, or list:<id>');
  }
}
