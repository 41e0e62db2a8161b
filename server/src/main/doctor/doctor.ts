import { resolveMx, resolveTxt } from 'node:dns/promises';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { createLookup, type Lookup } from '#platform/safe-fetch/resolve-name.ts';
import { createSafeFetch, type SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { parseProviderUrl, type ProviderConfig } from '#providers/parse-provider-url.ts';
import { createSesInspector, type SesInspector } from '#providers/ses/ses-inspector.ts';
import type { SesSettings } from '#providers/ses/ses-settings.ts';
import { CAPTURE, CATALOGUE } from './catalogue.ts';
import { checkCallback } from './check-callback.ts';
import { checkDatabase } from './check-database.ts';
import { checkRefusals } from './check-refusals.ts';
import { checkMtaSts, type MtaStsDeps } from './inbound/check-mta-sts.ts';
import { checkRelay } from './relay/check-relay.ts';
import { checkSes } from './ses/check-ses.ts';
import { checkSmtp, type SmtpCheckDeps } from './check-smtp.ts';
import { type Finding, ok, skipped } from './finding.ts';

export interface Report {
  provider: ProviderConfig['kind'];
  /** No check found an error; warnings may stand. */
  ok: boolean;
  checks: Finding[];
  /** The known state of the operator's account with the provider. */
  account: Record<string, unknown>;
}

export interface DoctorDeps {
  db: Db;
  settings: Settings;
  clock: Clock;
  createInspector?(settings: SesSettings): SesInspector;
  lookup?: Lookup;
  resolveMx?: SmtpCheckDeps['resolveMx'];
  resolveTxt?: MtaStsDeps['resolveTxt'];
  /** PEM of authorities to believe in place of the usual ones. */
  ca?: string;
}

/**
 * Looks at everything between an email and the news of what became of it, and at the relay that takes emails. It
 * changes nothing and sends nothing, and ends within a minute whatever the other side does. Concurrent callers share
 * one look.
 */
export function createDoctor(deps: DoctorDeps): () => Promise<Report> {
  let running: Promise<Report> | undefined;
  return () =>
    (running ??= examine(deps).finally(() => {
      running = undefined;
    }));
}

async function examine(deps: DoctorDeps): Promise<Report> {
  const parsed = parseProviderUrl(deps.settings.providerUrl);
  if (!parsed.ok) throw new Error(parsed.faults.join('; '));
  const { kind } = parsed.config;
  const database = await checkDatabase(deps);
  const others = database.isUsable
    ? await checksOf(parsed.config, deps)
    : { checks: CATALOGUE[kind].map((about) => skipped(about, 'The database cannot be used.')), account: {} };
  const refusals = database.isUsable && kind !== 'capture' ? await checkRefusals(deps.db) : [];
  const relay = await checkRelay(deps);
  const inbound = await lookAtMtaSts(deps);
  const checks = [...database.findings, ...others.checks, ...refusals, ...relay, ...inbound];
  return { provider: kind, ok: !checks.some(({ status }) => status === 'error'), checks, account: others.account };
}

async function checksOf(config: ProviderConfig, deps: DoctorDeps): Promise<Pick<Report, 'checks' | 'account'>> {
  const { db, settings } = deps;
  switch (config.kind) {
    case 'capture': {
      const message =
        'Nothing leaves this machine: every email is kept and shown in the Outbox of the dashboard and at GET /v1/captured-emails.';
      return { checks: [ok(CAPTURE, message)], account: {} };
    }
    case 'smtp': {
      const { kind: _, ...smtp } = config;
      const ca = deps.ca === undefined ? {} : { ca: deps.ca };
      const own = { resolveMx: deps.resolveMx ?? resolveMx, checkCallback: () => lookFromOutside(deps), ...ca };
      return checkSmtp({ db, settings, smtp, ...own });
    }
    case 'ses': {
      const { kind: _, ...url } = config;
      const inspector = (deps.createInspector ?? createSesInspector)({ ...url, endpoint: settings.sesEndpoint });
      try {
        const now = deps.clock.now();
        return await checkSes({ ...url, db, settings, inspector, now, checkCallback: () => lookFromOutside(deps) });
      } finally {
        inspector.close();
      }
    }
  }
}

function lookFromOutside(deps: DoctorDeps): Promise<Finding> {
  const { settings, lookup = createLookup() } = deps;
  return withFetch({ ...deps, lookup }, (fetch) =>
    checkCallback({ publicUrl: settings.publicUrl, port: settings.port, lookup, fetch }),
  );
}

const lookAtMtaSts = (deps: DoctorDeps): Promise<Finding[]> =>
  withFetch(deps, (fetch) =>
    checkMtaSts({ settings: deps.settings, resolveTxt: deps.resolveTxt ?? resolveTxt, fetch }),
  );

/** The URLs are the operator's own, so every address may be tried. */
async function withFetch<T>(
  { clock, lookup = createLookup(), ca }: DoctorDeps,
  look: (fetch: SafeFetch) => Promise<T>,
): Promise<T> {
  const allow = ['0.0.0.0/0', '::/0'];
  const fetch = createSafeFetch({ clock, allow, development: null, lookup, ...(ca === undefined ? {} : { ca }) });
  try {
    return await look(fetch);
  } finally {
    await fetch.close();
  }
}
