import { Type } from 'typebox';
import { queue } from '#features/outbox';
import { instance } from '#features/workspaces';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { type Route, route } from '#platform/http/route.ts';
import { HOLD_REMEDY, sayReason } from '../fence/hold-reasons.ts';
import { resumeSending } from '../fence/resume-sending.ts';
import { VERSION } from '../version.ts';
import { readDatabaseState } from './queries.ts';
import { retentionOf } from './retention.ts';

const Setting = Type.Object(
  {
    name: Type.String({ description: 'The environment variable.', examples: ['POSTHORN_SEND_RATE'] }),
    value: Type.Union([Type.String(), Type.Null()], {
      description:
        'As it was given. null: not set, or a secret. Of a secret address only scheme, host and path; ' +
        'a password in any other address is masked.',
      examples: ['12'],
    }),
    source: Type.Enum(['environment', 'file', 'default'], {
      description: '`environment`: of the process. `file`: the `.env` file.',
    }),
    secret: Type.Boolean({ description: 'The value is never shown.' }),
    default: Type.String({ description: 'The value without this setting, in words.', examples: ['12'] }),
    meaning: Type.String({ examples: ['Recipients per second, over all processes.'] }),
  },
  { title: 'SettingInForce', additionalProperties: false },
);

const Kept = Type.Object(
  {
    records: Type.String({ examples: ['Captured mail'] }),
    days: Type.Union([Type.Integer(), Type.Null()], { description: 'null: for ever.', examples: [7] }),
    setting: Type.Union([Type.String(), Type.Null()], {
      description: 'The setting that changes it; null: none does.',
      examples: ['POSTHORN_CAPTURED_DAYS'],
    }),
  },
  { title: 'RetentionInForce', additionalProperties: false },
);

const Hold = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    reason: Type.String({
      description:
        'A code: `other_server`, `other_database`, `other_tables`, `other_timeline`, `went_back`, `copied_folder`, `no_file`, `long_silence`.',
      examples: ['other_database'],
    }),
    message: Type.String({ description: 'The reason and the remedy, in sentences.' }),
  },
  { title: 'SendingHold', additionalProperties: false },
);

const Resumed = Type.Object(
  {
    was_held: Type.Boolean({ description: 'false: sending was not held, and nothing was changed.' }),
  },
  { title: 'SendingResumed', additionalProperties: false },
);

const System = Type.Object(
  {
    version: Type.String({ description: 'Of Posthorn.' }),
    node_version: Type.String({ examples: ['24.21.0'] }),
    database: Type.Object({
      kind: Type.Enum(['embedded', 'external'], { description: '`external`: set by `DATABASE_URL`.' }),
      version: Type.String({ description: 'Of PostgreSQL.', examples: ['18.4'] }),
      size_bytes: Type.Integer({ description: 'On the disk, with indexes.', examples: [48_234_496] }),
    }),
    hold: Type.Union([Hold, Type.Null()], {
      description:
        'Since when nothing is sent, because the database was restored or copied. null: sending is not held.',
    }),
    retention: Type.Array(Kept),
    settings: Type.Array(Setting),
  },
  { title: 'System', additionalProperties: false },
);

interface SystemDeps {
  settings: Settings;
  /** The pool of requests about health: the page must answer when the other is busy. */
  db: Db;
}

/** For the operator of the instance: the owners of the home workspace. */
export const systemRoutes = ({ settings, db }: SystemDeps): Route[] => [
  route({
    method: 'GET',
    path: '/instance/system',
    id: 'get_system',
    tag: 'Operations',
    summary: 'Read version, database, retention and settings of the instance',
    description:
      'Owners of the home workspace. The settings are those of the process that answers; other processes may have ' +
      'others. No secret is in the answer.',
    access: 'user',
    permit: instance.requireOperator,
    response: System,
    async handler() {
      const { version, sizeBytes } = await readDatabaseState(db);
      const hold = await queue.hold.find(db);
      return {
        version: VERSION,
        node_version: process.versions.node,
        database: {
          kind: settings.databaseUrl === null ? 'embedded' : 'external',
          version,
          size_bytes: sizeBytes,
        },
        hold: hold === undefined ? null : { ...hold, message: `${sayReason(hold.reason)} ${HOLD_REMEDY}` },
        retention: retentionOf(settings),
        settings: settings.inForce.map(({ isSecret, fallback, ...setting }) => ({
          ...setting,
          secret: isSecret,
          default: fallback,
        })),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/instance/resume-sending',
    id: 'resume_sending',
    tag: 'Operations',
    summary: 'Confirm that a restored or copied database may send',
    description:
      'Owners of the home workspace. Waiting emails leave, also those that another copy of the database may have ' +
      'sent already. Scheduled emails whose time passed more than a day ago fail with `missed_window`.',
    access: 'user',
    permit: instance.requireOperator,
    // A fact of PostgreSQL that this user may not read would end a transaction.
    outsideTransaction: true,
    response: Resumed,
    async handler(ctx) {
      return { was_held: (await resumeSending({ db: ctx.db, log: ctx.log, settings }, ctx)) !== undefined };
    },
  }),
];
