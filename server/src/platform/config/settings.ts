import { type SettingInForce, settingsInForce } from './settings-in-force.ts';
import { SETTINGS } from './settings-table.ts';

type Table = typeof SETTINGS;
type Read = { readonly [K in keyof Table]: Table[K]['fallback'] | ReturnType<Table[K]['read']> };

/** The settings of the process, read once at start and passed down. */
export type Settings = Omit<Read, 'publicUrl' | 'dashboardUrl'> & {
  readonly publicUrl: string;
  readonly dashboardUrl: string;
  /** All of them for the operator, without secrets. */
  readonly inForce: readonly SettingInForce[];
};

/** All faults of an environment at once: an operator mends them in one go. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

/**
 * Reads the settings from an environment. An empty value is an unset one. Throws SettingsError with every fault;
 * `warnings` are for names that look like ours and are not, most often typing errors. `moreFaults` judges values whose
 * meaning is known elsewhere. `fromFile` has the names whose values come from a file.
 */
export function loadSettings(
  env: Readonly<Record<string, string | undefined>>,
  moreFaults: (values: { readonly providerUrl: string }) => readonly string[] = () => [],
  fromFile: ReadonlySet<string> = new Set(),
): {
  settings: Settings;
  warnings: string[];
} {
  const faults: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const given = env[setting.env]?.trim();
    read[key] = setting.fallback;
    if (given === undefined || given === '') continue;
    try {
      read[key] = setting.read(given);
    } catch (error) {
      faults.push(
        `${setting.env} ${error instanceof Error ? error.message : String(error)}${setting.secret ? '' : ` (it is "${given}")`}`,
      );
    }
  }
  const values = read as Read; // every key of the table was just set, by its fallback or its reader
  if (values.sendRate > values.providerCeiling) {
    faults.push(
      `POSTHORN_SEND_RATE (${values.sendRate}) is above POSTHORN_PROVIDER_CEILING (${values.providerCeiling}): the provider would refuse mail`,
    );
  }
  if (values.databaseUrl !== null && values.secretKey === null) {
    faults.push(
      'POSTHORN_SECRET_KEY is required when DATABASE_URL is set: every process on the database must share it',
    );
  }
  if (values.databaseDirectUrl !== null && values.databaseUrl === null) {
    faults.push('DATABASE_DIRECT_URL is set without DATABASE_URL: the embedded database has no pooler');
  }
  if (values.humanProof !== 'none' && (values.humanProofSiteKey === null || values.humanProofSecret === null)) {
    faults.push('POSTHORN_HUMAN_PROOF needs POSTHORN_HUMAN_PROOF_SITE_KEY and POSTHORN_HUMAN_PROOF_SECRET');
  }
  if ((values.tlsCert === null) !== (values.tlsKey === null)) {
    faults.push('POSTHORN_TLS_CERT and POSTHORN_TLS_KEY belong together: set both, or neither');
  }
  if (values.sesReceiving === 'on' && values.sesTopicArns.length === 0) {
    faults.push('POSTHORN_SES_RECEIVING needs POSTHORN_SES_TOPIC_ARNS: without a topic no mail would arrive');
  }
  faults.push(...moreFaults(values));
  if (faults.length > 0) throw new SettingsError(faults);

  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`;
  return {
    settings: {
      ...values,
      publicUrl,
      dashboardUrl: values.dashboardUrl ?? publicUrl,
      inForce: settingsInForce(env, fromFile),
    },
    warnings: unknownNames(env),
  };
}

/** Names that the documentation has you set in a shell for commands and receivers, beside a server. */
const CLIENT_NAMES = ['POSTHORN_KEY', 'POSTHORN_URL', 'POSTHORN_WEBHOOK_SECRET'];

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...CLIENT_NAMES, ...Object.values(SETTINGS).map((setting) => setting.env)]);
  return Object.keys(env)
    .filter((name) => name.startsWith('POSTHORN_') && !known.has(name))
    .sort()
    .map((name) => `${name} is no setting of Posthorn and was ignored`);
}
