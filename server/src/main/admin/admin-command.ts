import { existsSync } from 'node:fs';
import path from 'node:path';
import { createKeyByAdmin } from '#features/api-keys';
import { setSending } from '#features/outbox';
import { bySystem, findWorkspaceId, disableTwoFactorByAdmin, resetPasswordByAdmin } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { reachDatabase } from '#platform/db/reach-database.ts';
import type { Log } from '#platform/log.ts';
import { findRunningPostgres } from '#platform/postgres/embedded-postgres.ts';
import type { AdminCommand } from '../arguments.ts';
import { sayReason } from '../fence/hold-reasons.ts';
import { resumeSending } from '../fence/resume-sending.ts';
import { openInstance } from '../instance/open-instance.ts';
import { findHomeWorkspaceId } from '../instance/queries.ts';
import { createUndoList, type UndoList } from '../undo-list.ts';

export interface AdminOptions {
  settings: Settings;
  log: Log;
  say(text: string): void;
  signal?: AbortSignal;
}

/** Runs a command of whoever has the machine. With the embedded database it may run beside a running Posthorn. */
export async function adminCommand(command: AdminCommand, options: AdminOptions): Promise<void> {
  const undo = createUndoList(options.log);
  try {
    options.say(await answerOf(command, await open(options, undo), options));
  } finally {
    await undo.stopAll();
  }
}

async function open({ settings, log, signal }: AdminOptions, undo: UndoList): Promise<Db> {
  const about = { applicationName: 'posthorn admin', poolMax: 2, log };
  if (settings.databaseUrl === null) {
    if (!existsSync(path.join(settings.dataDir, 'postgres'))) {
      throw new Error(
        `There is no database in ${path.resolve(settings.dataDir)}. Start Posthorn once with npm start, or set POSTHORN_DATA_DIR or DATABASE_URL as the running Posthorn has it.`,
      );
    }
    // A running Posthorn has migrated; a newer program must not do it underneath it.
    const url = await findRunningPostgres(settings.dataDir);
    if (url !== undefined) {
      await reachDatabase(url, 'POSTHORN_DATA_DIR');
      const { db, close } = openDatabase({ ...about, url });
      undo.add('database', close);
      return db;
    }
  }
  return (await openInstance({ ...about, settings, undo, signal })).db;
}

async function answerOf(command: AdminCommand, db: Db, { settings, log }: AdminOptions): Promise<string> {
  const deps = { db, clock: systemClock, settings };
  switch (command.name) {
    case 'create-key': {
      const workspaceId = await findHomeWorkspaceId(db);
      const key = await createKeyByAdmin(deps, { workspaceId, name: command.keyName });
      return `New API key with full access to the home workspace. Keep it: it is shown only now.\n\n  ${key}`;
    }
    case 'pause':
    case 'block':
    case 'activate':
      return setStatus(db, command.workspace, STATUS[command.name]);
    case 'quota':
      return setQuota(db, command.workspace, command.emailsPerMonth);
    case 'resume-sending': {
      const hold = await resumeSending({ db, log, settings }, bySystem(systemClock));
      return hold === undefined
        ? 'Sending was not held.'
        : `Sending goes on. It was held since ${hold.since.toISOString()}. ${sayReason(hold.reason)}`;
    }
    case 'disable-2fa': {
      const done = await disableTwoFactorByAdmin(deps, command.email);
      if (done === undefined) throw new Error(`Nobody signs in with ${command.email}.`);
      return done.wasOn ? `${done.email} signs in without a code now.` : `${done.email} had no two-factor sign-in.`;
    }
    case 'reset-password': {
      const reset = await resetPasswordByAdmin(deps, command.email);
      if (reset === undefined) throw new Error(`Nobody signs in with ${command.email}.`);
      return `New password of ${reset.email}: ${reset.password}\nEvery session of this person was ended.`;
    }
  }
}

const STATUS = { pause: 'paused', block: 'blocked', activate: 'active' } as const;

const MEANING = {
  paused: 'Its sends are refused with 403, and its waiting mail is held until you activate it.',
  blocked: 'Its requests are refused with 403, and its waiting mail is cancelled.',
  active: 'Its mail leaves again.',
};

async function workspaceIdOf(db: Db, idOrSlug: string): Promise<string> {
  const id = await findWorkspaceId(db, idOrSlug);
  if (id === undefined) throw new Error(`There is no workspace with the id or slug ${idOrSlug}.`);
  return id;
}

async function setQuota(db: Db, idOrSlug: string, emailsPerMonth: number | null): Promise<string> {
  const id = await workspaceIdOf(db, idOrSlug);
  const clock = systemClock;
  const { workspace } = await setSending({ db, clock }, bySystem(clock), id, { emailsPerMonth });
  const quota = emailsPerMonth === null ? 'no quota' : `a quota of ${emailsPerMonth} recipients a month (UTC)`;
  return `${workspace.name} (${workspace.slug}) has ${quota} now.`;
}

async function setStatus(db: Db, idOrSlug: string, status: keyof typeof MEANING): Promise<string> {
  const id = await workspaceIdOf(db, idOrSlug);
  const clock = systemClock;
  const { workspace, stillLeaving } = await setSending({ db, clock }, bySystem(clock), id, { status });
  const late = stillLeaving === 0 ? '' : `\n${stillLeaving} emails were being handed over and may still arrive.`;
  return `${workspace.name} (${workspace.slug}) is ${status}. ${MEANING[status]}${late}`;
}
