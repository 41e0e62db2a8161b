/** Every page, with its dialogs and empty states. `shots.ts` fails when a route of the dashboard has no picture. */
import { pb } from '../src/lib/paths.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';
import { answerBimi, asSelfHosted, BIMI_FAULTS } from '../test/harness/domain-answers.ts';
import { automationShots } from './automation-shots.ts';
import { broadcastShots } from './broadcast-shots.ts';
import type { Ids } from './seed.ts';
import type { BroadcastIds } from './seed-broadcasts.ts';
import type { ContactIds } from './seed-contacts.ts';
import type { AutomationIds } from './seed-automations.ts';
import type { DomainIds } from './seed-domains.ts';
import type { ReceivedIds } from './seed-received.ts';
import type { ScheduledIds } from './seed-scheduled.ts';
import type { TemplateIds } from './seed-templates.ts';
import { writingShots } from './writing-shots.ts';

export type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

export interface Shot {
  path: string;
  /** The steps from the page to what is shown: a dialog that is no part of the address. */
  open?: (page: Page) => Promise<unknown>;
}

export type Shots = Readonly<Record<string, string | Shot>>;

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const dialogOpens = (page: Page) => page.getByRole('dialog').waitFor();

const opensRow = async (page: Page) => {
  await page.locator('[data-row-link]').first().click();
  await dialogOpens(page);
};

const pressed = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await dialogOpens(page);
};

/** Before anybody has signed in. */
export const OUTSIDE: Shots = {
  'sign-in': pb.signIn(),
  'sign-in-refused': {
    path: pb.signIn(),
    open: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
      await press('Sign in')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  'forgot-password': pb.forgotPassword(),
};

/** On the first start, when there is nothing. */
export const EMPTY: Shots = {
  'empty-overview': pb.overview(),
  'empty-emails': pb.emails(),
  'empty-scheduled': pb.scheduled(),
  'empty-calendar': pb.calendar(),
  'empty-outbox': pb.outbox(),
  'empty-received': pb.received(),
  'empty-broadcasts': pb.broadcasts(),
  'empty-newsletters': pb.newsletters(),
  'empty-templates': pb.templates(),
  'empty-contacts': pb.contacts(),
  'empty-lists': pb.lists(),
  'empty-segments': pb.segments(),
  'empty-automations': pb.automations(),
  'empty-imports': pb.imports(),
  'empty-domains': pb.domains(),
  'empty-relay': pb.relay(),
  'empty-relay-sessions': pb.relayTab('sessions'),
  'empty-suppressions': pb.suppressions(),
  'empty-keys': pb.keys(),
  'empty-webhooks': pb.webhooks(),
  'empty-deliveries': pb.deliveries(),
  'empty-events': pb.events(),
  'empty-requests': pb.requests(),
  'empty-audit-log': pb.auditLog(),
};

const MISSING = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
const CSV = {
  name: 'readers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('E-Mail,Vorname,plan\nada@example.com,Ada,pro\nbob@example.com,Bob,free\nnobody,Nobody,free\n'),
};

/** Of an installation that has been used for a while. */
export function fullShots(
  ids: Ids & ContactIds & DomainIds & ReceivedIds & TemplateIds & ScheduledIds & BroadcastIds & AutomationIds,
): Shots {
  const issue = (id: string) => pb.issue(ids.newsletter, id);
  const edit = pb.issueEdit(ids.newsletter, ids.draft);
  const tab = (name: string) => pb.newsletterTab(ids.newsletter, name);
  const of = (path: string, name: string) => `${path}?tab=${name}`;
  const chooseFile = async (page: Page) => {
    await page.locator('input[type=file]').setInputFiles(CSV);
    await page.getByRole('radio', { name: /^Everybody has agreed/ }).click();
  };
  return {
    overview: pb.overview(),
    'overview-steps': `${pb.overview()}?steps=1`,
    'overview-by-source': `${pb.overview()}?of=source`,
    'overview-by-broadcast': `${pb.overview()}?of=broadcast`,
    palette: {
      path: pb.overview(),
      open: async (page) => {
        await page.keyboard.press('Control+k');
        await dialogOpens(page);
      },
    },
    'user-menu': {
      path: pb.security(),
      open: async (page) => {
        // On a phone the side bar is in a drawer.
        const menu = page.getByRole('button', { name: 'Open the navigation' });
        if (await menu.isVisible()) await menu.click();
        await page
          .getByRole('button', { name: /^Account of/ })
          .last()
          .click();
      },
    },
    emails: pb.emails(),
    'emails-filtered': `${pb.emails()}?search=nothing-like-this`,
    compose: pb.compose(),
    email: pb.email(ids.email),
    'email-bounced': pb.email(ids.bounced),
    'email-of-issue': pb.email(ids.emailOfIssue),
    'email-content': of(pb.email(ids.email), 'content'),
    'email-data': of(pb.email(ids.email), 'data'),
    'email-missing': pb.email(MISSING),
    send: pb.send(ids.send),
    batch: pb.batch(ids.batch),
    scheduled: pb.scheduled(),
    'scheduled-email': pb.scheduledEmail(ids.later),
    'scheduled-email-content': of(pb.scheduledEmail(ids.later), 'content'),
    'scheduled-email-template': of(pb.scheduledEmail(ids.laterOfTemplate), 'content'),
    'scheduled-email-cancelled': pb.scheduledEmail(ids.laterCancelled),
    'scheduled-email-move': { path: pb.scheduledEmail(ids.later), open: pressed('Reschedule') },
    'scheduled-email-now': { path: pb.scheduledEmail(ids.later), open: pressed('Send now') },
    'scheduled-email-edit': pb.scheduledEdit(ids.later),
    'scheduled-email-edit-template': pb.scheduledEdit(ids.laterOfTemplate),
    calendar: pb.calendar(),
    'calendar-week': `${pb.calendar()}?view=week`,
    'calendar-day': pb.calendarDay(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)),
    'calendar-move': { path: `${pb.calendar()}?open=${ids.later}`, open: dialogOpens },
    outbox: pb.outbox(),
    'outbox-message': pb.outboxEmail(ids.captured),
    'outbox-links': `${pb.outboxEmail(ids.captured)}?view=links`,
    'outbox-simulate': { path: pb.outboxEmail(ids.captured), open: press('Simulate') },
    received: pb.received(),
    'received-filtered': `${pb.received()}?from=nobody@example.com`,
    'received-thread': pb.receivedThread(ids.thread),
    'received-email': pb.receivedEmail(ids.received),
    'received-email-text': `${pb.receivedEmail(ids.received)}?view=text`,
    'received-conversation': of(pb.receivedEmail(ids.received), 'conversation'),
    'received-sender': of(pb.receivedEmail(ids.received), 'sender'),
    'received-forwarding': of(pb.receivedEmail(ids.received), 'forwarding'),
    'received-reply': { path: `${pb.receivedEmail(ids.received)}?reply=1`, open: dialogOpens },
    'received-automatic': pb.receivedEmail(ids.automatic),
    ...broadcastShots(ids),
    newsletters: pb.newsletters(),
    'newsletter-new': pb.newsletterNew(),
    'newsletter-issues': pb.newsletter(ids.newsletter),
    'newsletter-subscribers': tab('subscribers'),
    'newsletter-add': `${tab('subscribers')}&add=1`,
    'newsletter-export': { path: tab('subscribers'), open: pressed('Export') },
    'newsletter-growth': tab('growth'),
    'newsletter-sign-up': tab('sign-up'),
    'newsletter-settings': tab('settings'),
    'newsletter-settings-changed': {
      path: tab('settings'),
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Description' }).fill('Recipes and tools, each Friday.');
        await page.getByText('Unsaved changes', { exact: true }).waitFor();
      },
    },
    'newsletter-delete': { path: tab('settings'), open: pressed('Delete newsletter') },
    'newsletter-empty': pb.newsletter(ids.unready),
    'newsletter-nobody': pb.newsletterTab(ids.unready, 'subscribers'),
    templates: pb.templates(),
    'template-new': { path: `${pb.templates()}?add=1`, open: dialogOpens },
    template: pb.template(ids.template),
    'template-use': of(pb.template(ids.template), 'use'),
    'template-versions': of(pb.template(ids.template), 'versions'),
    'template-used-by': of(pb.template(ids.layout), 'used-by'),
    'template-test': { path: pb.template(ids.template), open: pressed('Send a test') },
    'template-delete': { path: pb.template(ids.layout), open: pressed('Delete') },
    'template-edit': pb.templateEdit(ids.template),
    'template-edit-preview': `${pb.templateEdit(ids.template)}?view=preview&sample=none`,
    ...automationShots(ids, MISSING),
    subscriber: pb.subscriber(ids.newsletter, ids.subscriber),
    'subscriber-history': of(pb.subscriber(ids.newsletter, ids.subscriber), 'history'),
    'subscriber-issues': of(pb.subscriber(ids.newsletter, ids.subscriber), 'issues'),
    contacts: pb.contacts(),
    'contacts-filtered': `${pb.contacts()}?search=nobody-like-this`,
    'contacts-chosen': {
      path: pb.contacts(),
      open: async (page) => {
        await page.getByRole('checkbox').nth(1).check();
        await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor();
      },
    },
    'contacts-add': { path: `${pb.contacts()}?add=1`, open: dialogOpens },
    'contacts-change-all': { path: pb.contacts(), open: pressed('Change all') },
    contact: pb.contact(ids.contact),
    'contact-activity': pb.contactTab(ids.contact, 'activity'),
    'contact-edit': pb.contactTab(ids.contact, 'edit'),
    'contact-erase': { path: pb.contact(ids.contact), open: pressed('Erase') },
    'contact-unsubscribed': pb.contact(ids.leaver),
    'contact-missing': pb.contact(MISSING),
    'contact-bulk-jobs': pb.bulkJobs(),
    'contact-bulk-job': pb.bulkJob(ids.bulkJob),
    lists: pb.lists(),
    'list-new': { path: `${pb.lists()}?add=1`, open: dialogOpens },
    list: pb.list(ids.list),
    'list-add': { path: `${pb.list(ids.list)}?add=1`, open: dialogOpens },
    'list-settings': of(pb.list(ids.list), 'settings'),
    'list-empty': pb.list(ids.emptyList),
    'list-import': {
      path: pb.listImport(ids.list),
      open: async (page) => {
        await page.locator('input[type=file]').setInputFiles(CSV);
        await page.getByText('Overwrite their fields').waitFor();
      },
    },
    segments: pb.segments(),
    'segment-new': pb.segmentNew(),
    segment: pb.segment(ids.segment),
    'segment-conditions': pb.segmentTab(ids.segment, 'conditions'),
    'segment-json': { path: pb.segmentTab(ids.segment, 'conditions'), open: (page) => page.getByText('JSON').click() },
    'segment-explain': pb.segmentExplain(ids.segment, 'person.3@example.com'),
    'import-new': pb.importNew(ids.newsletter),
    'import-plan': { path: pb.importNew(ids.newsletter), open: chooseFile },
    'import-dry-run': {
      path: pb.importNew(ids.newsletter),
      open: async (page) => {
        await chooseFile(page);
        await press('Start the dry run')(page);
        await page.getByRole('button', { name: /^Import \d/ }).waitFor();
      },
    },
    'import-undo': { path: pb.import(ids.import), open: pressed('Undo') },
    imports: pb.imports(),
    import: pb.import(ids.import),
    'issue-edit': edit,
    'issue-edit-blocks': {
      path: edit,
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Body of the issue', exact: true }).click();
        await page.keyboard.press('Control+End');
        await page.keyboard.press('Enter');
        await page.keyboard.type('/');
      },
    },
    'issue-edit-html': { path: edit, open: press('Edit as HTML') },
    ...writingShots(ids),
    'issue-preview': `${edit}?view=preview`,
    'issue-test': { path: edit, open: pressed('Send a test') },
    'issue-schedule': { path: edit, open: pressed('Schedule') },
    'issue-send': { path: edit, open: pressed('Send now') },
    'issue-scheduled': issue(ids.scheduled),
    'issue-cancel': { path: issue(ids.scheduled), open: pressed('Cancel the issue') },
    'issue-cancelled': issue(ids.cancelled),
    issue: issue(ids.sent),
    'issue-recipients': of(issue(ids.sent), 'recipients'),
    'issue-links': of(issue(ids.sent), 'links'),
    'issue-content': of(issue(ids.sent), 'content'),
    'issue-history': of(issue(ids.sent), 'history'),
    'issue-correct': { path: issue(ids.sent), open: pressed('Write a correction') },
    'issue-redirect': { path: of(issue(ids.sent), 'links'), open: pressed(/^Redirect /) },
    'issue-paused': pb.issue(ids.large, ids.paused),
    'issue-paused-edit': pb.issueEdit(ids.large, ids.paused),
    domains: pb.domains(),
    'domains-filtered': `${pb.domains()}?search=nothing`,
    'domain-add': `${pb.domains()}?add=1`,
    'domain-add-refused': {
      path: `${pb.domains()}?add=1`,
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('co.uk');
        await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
        await page.getByText(/is a public suffix/).waitFor();
      },
    },
    domain: pb.domain(ids.verified),
    'domain-new': pb.domain(ids.waiting),
    'domain-wrong': pb.domain(ids.wrong),
    'domain-sandbox': pb.domain(ids.sandbox),
    'domain-checks': pb.domainTab(ids.wrong, 'checks'),
    'domain-check': { path: `${pb.domainTab(ids.wrong, 'checks')}&check=${ids.check}`, open: dialogOpens },
    'domain-limits': pb.domainTab(ids.verified, 'limits'),
    'domain-receiving': pb.domainTab(ids.verified, 'receiving'),
    'domain-receiving-off': pb.domainTab(ids.waiting, 'receiving'),
    'domain-receiving-waits': pb.domainTab(ids.wrong, 'receiving'),
    'domain-receiving-secret': {
      path: pb.domainTab(ids.verified, 'receiving'),
      open: async (page) => {
        await press('Show')(page);
        await press('Send a test')(page);
        await page.getByText(/^No answer came|^The webhook answered/).waitFor();
      },
    },
    'domain-logo': pb.domainTab(ids.verified, 'logo'),
    'domain-logo-faults': {
      path: pb.domainTab(ids.verified, 'logo'),
      open: async (page) => {
        await answerBimi(page, BIMI_FAULTS);
        await press('Check the logo')(page);
        await page.getByText(/things to mend/).waitFor();
      },
    },
    'domain-logo-off': pb.domainTab(ids.waiting, 'logo'),
    'domain-share': { path: pb.domain(ids.verified), open: pressed('Share with whoever has your DNS') },
    'domain-rotate': { path: pb.domain(ids.verified), open: pressed('Rotate the DKIM key') },
    'domain-rotated': {
      path: pb.domain(ids.verified),
      open: async (page) => {
        // The second window finds what the first has begun.
        if ((await page.getByText('Comes next').count()) > 0) return;
        await press('Rotate the DKIM key')(page);
        await press('Make the next key')(page);
        await page.getByText('Comes next').waitFor();
      },
    },
    'domain-delete': { path: pb.domain(ids.verified), open: pressed('Delete') },
    'domain-missing': pb.domain(MISSING),
    'domain-self-hosted': { path: pb.suppressions(), open: asSelfHosted(pb.domains()) },
    relay: pb.relay(),
    'relay-postfix': `${pb.relay()}?app=postfix`,
    'relay-sessions': pb.relayTab('sessions'),
    'relay-sessions-filtered': `${pb.relayTab('sessions')}&outcome=refused&since=1h`,
    'relay-session': { path: `${pb.relayTab('sessions')}&session=${ids.session}`, open: dialogOpens },
    'relay-session-accepted': { path: `${pb.relayTab('sessions')}&session=${ids.accepted}`, open: dialogOpens },
    'relay-wrong-logins': pb.relayTab('wrong-logins'),
    suppressions: pb.suppressions(),
    'suppressions-filtered': `${pb.suppressions()}?search=nobody`,
    'suppressions-add': `${pb.suppressions()}?add=1`,
    suppression: pb.suppression(ids.suppression),
    keys: pb.keys(),
    'key-new': pb.keyNew(),
    key: pb.key(ids.key),
    'key-usage': of(pb.key(ids.key), 'usage'),
    'key-edit': of(pb.key(ids.key), 'edit'),
    'key-missing': pb.key(MISSING),
    webhooks: pb.webhooks(),
    'webhook-new': pb.webhookNew(),
    webhook: pb.webhook(ids.webhook),
    'webhook-deliveries': of(pb.webhook(ids.webhook), 'deliveries'),
    'webhook-edit': of(pb.webhook(ids.webhook), 'edit'),
    'webhook-verify': of(pb.webhook(ids.webhook), 'verify'),
    deliveries: pb.deliveries(),
    delivery: pb.delivery(ids.webhook, ids.delivery),
    events: pb.events(),
    requests: pb.requests(),
    request: pb.request(ids.request),
    'audit-log': pb.auditLog(),
    'audit-entry': { path: pb.auditLog(), open: opensRow },
    'event-entry': { path: pb.events(), open: opensRow },
    members: pb.members(),
    'members-filtered': `${pb.members()}?search=nobody`,
    member: { path: pb.members(), open: opensRow },
    'members-invite': { path: pb.members(), open: pressed('Invite somebody') },
    invitations: pb.invitations(),
    settings: pb.settings(),
    account: pb.account(),
    'account-delete': { path: pb.account(), open: pressed('Delete account') },
    'account-workspace': { path: pb.account(), open: pressed('Create a workspace') },
    'own-sign-in': pb.ownSignIn(),
    'two-factor': { path: pb.ownSignIn(), open: pressed('Set up') },
    'security-log': pb.security(),
    system: pb.system(),
    'system-workspaces': pb.instanceWorkspaces(),
    'not-found': '/nothing-here',
    // Last, because it fills the Outbox.
    'issue-sending': {
      path: pb.issueEdit(ids.large, ids.toSend),
      open: async (page) => {
        // The second window finds what the first has begun.
        if ((await page.getByRole('button', { name: 'Send now' }).count()) === 0) {
          await page.getByRole('link', { name: 'Open the issue' }).click();
          await page.getByRole('tab', { name: 'Results' }).waitFor();
          return;
        }
        await pressed('Send now')(page);
        await page.getByRole('dialog').getByRole('textbox').fill('900');
        await press(/^Send to/)(page);
        await page.getByText(/Sending to/).waitFor();
      },
    },
  };
}
