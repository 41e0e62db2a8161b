import { loadSettings, type Settings } from '#platform/config/settings.ts';

export const TEST_ADMIN = { email: 'owner@example.com', password: 'a password for tests' };
export const SECRET = 'a secret for tests that is long enough';
/** The first key wherever a test does not choose another. */
export const TEST_KEY = 'test_key_full_access_8c1f0b6e2d94a7350f1e2d3c';

/** The settings of a whole application in tests. Its first key has no limits unless `env` sets them. */
export const testSettings = (databaseUrl: string, key: string, env: Record<string, string> = {}): Settings =>
  loadSettings({
    DATABASE_URL: databaseUrl,
    POSTHORN_SECRET_KEY: SECRET,
    POSTHORN_ADMIN_EMAIL: TEST_ADMIN.email,
    POSTHORN_ADMIN_PASSWORD: TEST_ADMIN.password,
    POSTHORN_API_KEY: key,
    POSTHORN_KEY_LIMIT_HOURLY: '0',
    POSTHORN_KEY_LIMIT_DAILY: '0',
    POSTHORN_KEY_LIMIT_MONTHLY: '0',
    // Nobody listens there: no test asks the DNS of the world.
    POSTHORN_DNS_SERVERS: '127.0.0.1:9',
    ...env,
  }).settings;

/** Settings that change what the first start makes: with one of them a test makes its own. */
export const changesFirstStart = (env: Record<string, string>): boolean =>
  Object.keys(env).some((name) => /^POSTHORN_(ADMIN_|API_KEY|KEY_LIMIT_|SECRET_KEY)/.test(name));
