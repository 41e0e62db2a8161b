/** Answers that no server on this machine gives by itself, in the place of those of the API. */
import type { BimiFault, DnsRecord, Domain } from '../../src/api/generated/types.gen.ts';
import type { RunningDashboard } from './dashboard.ts';

type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

/** One of each group: a check of files on other machines would find these. */
export const BIMI_FAULTS: readonly BimiFault[] = [
  {
    group: 'dmarc',
    code: 'dmarc_policy',
    place: '_dmarc.kitchen.test',
    message: 'The DMARC policy is none.',
    remedy: 'Publish p=quarantine or p=reject.',
  },
  {
    group: 'record',
    code: 'record_missing',
    place: 'default._bimi.kitchen.test',
    message: 'There is no BIMI record.',
    remedy: 'Publish the TXT record that is shown.',
  },
  {
    group: 'svg',
    code: 'svg_title',
    place: 'https://kitchen.example/logo.svg, line 1',
    message: 'The logo has no title.',
    remedy: 'Add <title>Kitchen</title> as the first element.',
  },
  {
    group: 'svg',
    code: 'svg_script',
    place: 'https://kitchen.example/logo.svg, line 7',
    message: 'The logo has a script.',
    remedy: 'Remove it.',
  },
];

export const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;

/** A check of the logo with these faults, which the record of the domain has from then on. */
export const answerBimi = (page: Page, faults: readonly BimiFault[], logo: string | null = null): Promise<unknown> =>
  page.route('**/bimi/verify', async (route) => {
    const bimi_check = {
      dmarc_ok: faults.length === 0,
      bimi_ok: faults.length === 0,
      message: 'Everything is as mailboxes want it.',
      faults: [...faults],
      certificate: { kind: 'vmc' as const, issuer: 'DigiCert, Inc.', expires_at: '2027-11-20T00:00:00.000Z' },
      logo,
    };
    await answerDomain(page, '*', { bimi_check: { checked_at: new Date().toISOString(), ...bimi_check } });
    const message = faults.map((fault) => fault.message).join(' ') || bimi_check.message;
    await route.fulfill({ json: { success: true, message, data: { bimi_check } } });
  });

/** The record of a domain (`*`: of each) with these changes, and with those of each record of its DNS. */
export const answerDomain = (
  page: Page,
  id: string,
  change: Partial<Domain>,
  ofRecord: (record: DnsRecord) => Partial<DnsRecord> = () => ({}),
): Promise<unknown> =>
  page.route(`**/v1/domains/${id}`, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: Domain };
    const dns_records = answer.data.dns_records.map((record) => ({ ...record, ...ofRecord(record) }));
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, dns_records, ...change } } });
  });

/** Opens a page as the self-hosted edition shows it. */
export const asSelfHosted =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await page.route('**/workspaces?*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: object[] };
      const data = answer.data.map((workspace) => ({ ...workspace, edition: 'self-hosted' }));
      await route.fulfill({ response, json: { ...answer, data } });
    });
    await page.goto(new URL(path, page.url()).href);
    await page.getByText('POSTHORN_SENDER_DOMAINS').waitFor();
  };
