/**
 * What the matrix knows about each operation of the OpenAPI document, by operation id. An operation, or a place for an
 * id, that is missing here fails the tests: a new route joins by saying who may call it and what its ids are ids of.
 */
export type Kind =
  | 'workspace'
  | 'user'
  | 'session'
  | 'invite'
  | 'apiKey'
  | 'domain'
  | 'job'
  | 'scheduled'
  | 'batch'
  | 'email'
  | 'captured'
  | 'request'
  | 'template'
  | 'automation'
  | 'automationRun'
  | 'newsletter'
  | 'deletedNewsletter'
  | 'issue'
  | 'image'
  | 'subscriber'
  | 'import'
  | 'export'
  | 'broadcast'
  | 'contact'
  | 'list'
  | 'segment'
  | 'bulkJob'
  | 'webhook'
  | 'delivery'
  | 'received'
  | 'suppression'
  /** Named like an id and none of ours: a Content-ID, or a token that is a credential by itself. */
  | 'no record';

/** Each shows the kinds of records that it reads. */
const RECORD_READERS = [
  'scheduled:read',
  'inbound:read',
  'broadcasts:read',
  'templates:read',
  'contacts:read',
  'newsletters:read',
  'issues:read',
  'subscribers:read',
  'automations:read',
  'webhooks:read',
  'domains:read',
  'api_keys:read',
  'suppressions:read',
  'logs:read',
];

export interface KnownOperation {
  /** The scope, or `user` (dashboard token), or `public`. */
  access: string;
  /** A scope that is enough as well. */
  orAccess?: string | readonly string[];
  /** By the name of the path parameter, query field or body field. */
  ids?: Readonly<Record<string, Kind>>;
  /** A body that the route accepts. */
  body?: unknown;
  /** Other bodies, by the place of the id in them, such as `steps.0.config.list_id`. */
  bodyWith?: Readonly<Record<string, unknown>>;
  /** The answer to a foreign id in the query or the body, when it names one record and filters nothing. */
  foreignIs?: number;
  /** The operator of the instance may name any workspace; everybody else gets 403, whatever the id. */
  ofOperator?: true;
  /** Changes something, and yet every member may do it: it concerns only themselves. */
  ofEverybody?: true;
  /** A POST that reads. */
  changesNothing?: true;
}

const ofScheduled = { id: 'scheduled' } as const;
const ofKey = { id: 'apiKey' } as const;
const ofEmail = { id: 'email' } as const;
const ofDomain = { id: 'domain' } as const;
const ofReceived = { id: 'received' } as const;
const ofWebhook = { id: 'webhook' } as const;
const ofNewsletter = { id: 'newsletter' } as const;
const ofBroadcast = { id: 'broadcast' } as const;
const ofContact = { id: 'contact' } as const;
const ofList = { id: 'list' } as const;
const ofSegment = { id: 'segment' } as const;
const SOME_FILTER = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
const ofAutomation = { id: 'automation' } as const;
const ofTemplate = { id: 'template' } as const;
const ofSubscriber = { ...ofNewsletter, subscriberId: 'subscriber' } as const;
const ofIssue = { ...ofNewsletter, issueId: 'issue' } as const;
const ofWorkspace = { id: 'workspace' } as const;
const keyBody = { domain_ids: 'domain', newsletter_ids: 'newsletter' } as const;
const send = { from: 'A <a@attacker.example>', to: ['ada@example.com'], subject: 'Hello', html: '<p>Hello</p>' };

const ofNews = { type: 'newsletter_confirmed' };
const automationBody = {
  name: 'Another',
  trigger: ofNews,
  exit_on: [ofNews],
  goal: ofNews,
  steps: [{ key: 'mail', type: 'send_email', config: { template_id: 'hello', from: 'a@attacker.example' } }],
};

const leaving = { ...automationBody, steps: [{ key: 'leave', type: 'unsubscribe', config: {} }] };
const joined = { type: 'list_joined' };
const automationBodies = {
  'steps.0.config.list_id': leaving,
  'steps.0.config.newsletter_id': leaving,
  'trigger.list_id': { ...automationBody, trigger: joined },
  'exit_on.0.list_id': { ...automationBody, exit_on: [joined] },
  'goal.list_id': { ...automationBody, goal: joined },
};

/** Soon enough for every bound. */
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

export const OPERATIONS: Readonly<Record<string, KnownOperation>> = {
  register_user: { access: 'public', body: { email: 'new@example.com', password: 'a long password' } },
  sign_in: { access: 'public', ids: { workspace_id: 'workspace' } },
  refresh_session: { access: 'public', ids: { workspace_id: 'workspace' } },
  sign_out: { access: 'user', ofEverybody: true },
  request_password_reset: { access: 'public', body: { email: 'nobody@example.com' } },
  reset_password: { access: 'public', body: { token: 'x', password: 'a long password' } },
  verify_email: { access: 'public', body: { token: 'x' } },
  request_email_change: {
    access: 'user',
    body: { email: 'new@example.com', current_password: 'wrong' },
    ofEverybody: true,
  },
  confirm_email_change: { access: 'public', body: { token: 'x' } },
  delete_account: { access: 'user', body: { current_password: 'wrong' }, ofEverybody: true },
  receive_ses_events: { access: 'public', body: { Type: 'Notification' } },
  set_up_two_factor: { access: 'user', body: { current_password: 'wrong' }, ofEverybody: true },
  enable_two_factor: { access: 'user', body: { code: '123456' }, ofEverybody: true },
  disable_two_factor: { access: 'user', body: { current_password: 'wrong', code: '123456' }, ofEverybody: true },
  replace_recovery_codes: { access: 'user', body: { current_password: 'wrong', code: '123456' }, ofEverybody: true },
  verify_two_factor: {
    access: 'public',
    ids: { workspace_id: 'workspace' },
    foreignIs: 401,
    body: { challenge: 'x', code: '123456' },
  },
  get_me: { access: 'user' },
  update_me: { access: 'user', body: { name: 'Mallory' }, ofEverybody: true },
  list_sessions: { access: 'user' },
  end_other_sessions: { access: 'user', ofEverybody: true },
  end_session: { access: 'user', ids: { id: 'session' }, ofEverybody: true },
  create_workspace: { access: 'user', body: { name: 'Another' }, ofEverybody: true },
  list_workspaces: { access: 'user' },
  get_workspace: { access: 'user', ids: ofWorkspace },
  get_workspace_usage: { access: 'user', ids: ofWorkspace },
  update_workspace: { access: 'user', ids: ofWorkspace, body: { name: 'Renamed' } },
  delete_workspace: { access: 'user', ids: ofWorkspace },
  get_system: { access: 'user' },
  list_instance_workspaces: { access: 'user' },
  resume_sending: { access: 'user', ofOperator: true },
  get_instance_workspace: { access: 'user', ids: ofWorkspace, ofOperator: true },
  govern_workspace: { access: 'user', ids: ofWorkspace, body: { status: 'paused' }, ofOperator: true },
  list_members: { access: 'user', ids: ofWorkspace },
  get_member: { access: 'user', ids: { ...ofWorkspace, userId: 'user' } },
  change_member_role: { access: 'user', ids: { ...ofWorkspace, userId: 'user' }, body: { role: 'viewer' } },
  remove_member: { access: 'user', ids: { ...ofWorkspace, userId: 'user' } },
  create_invite: { access: 'user', ids: ofWorkspace, body: { email: 'guest@example.com', role: 'viewer' } },
  list_invites: { access: 'user', ids: ofWorkspace },
  resend_invite: { access: 'user', ids: { ...ofWorkspace, inviteId: 'invite' } },
  revoke_invite: { access: 'user', ids: { ...ofWorkspace, inviteId: 'invite' } },
  accept_invite: { access: 'public', ids: { token: 'no record' }, body: { password: 'a long password' } },
  list_security_events: { access: 'user' },
  list_requests: { access: 'logs:read', ids: { api_key_id: 'apiKey', user_id: 'user', request_id: 'no record' } },
  get_request: { access: 'logs:read', ids: { id: 'request' } },
  get_record: { access: 'emails:read', orAccess: RECORD_READERS, ids: { id: 'email' } },
  search_records: { access: 'emails:read', orAccess: RECORD_READERS },
  list_audit_entries: { access: 'audit:read' },
  check_provider: { access: '*' },
  get_relay_address: { access: 'emails:send', orAccess: 'logs:read' },
  list_relay_sessions: { access: 'logs:read' },
  list_relay_wrong_logins: { access: '*' },

  create_api_key: { access: 'api_keys:write', ids: keyBody, body: { name: 'New', scopes: ['emails:read'] } },
  list_api_keys: { access: 'api_keys:read' },
  get_api_key: { access: 'api_keys:read', ids: ofKey },
  update_api_key: { access: 'api_keys:write', ids: { ...ofKey, ...keyBody }, body: { name: 'Renamed' } },
  revoke_api_key: { access: 'api_keys:write', ids: ofKey },
  rotate_api_key: { access: 'api_keys:write', ids: ofKey, body: { grace_seconds: 60 } },
  get_api_key_uses: { access: 'api_keys:read', ids: { id: 'apiKey' } },
  get_rate_limits: { access: 'api_keys:read', ids: { apiKeyId: 'apiKey' } },

  list_domains: { access: 'domains:read' },
  create_domain: { access: 'domains:write', body: { domain: 'new.example' } },
  get_domain: { access: 'domains:read', ids: ofDomain },
  delete_domain: { access: 'domains:write', ids: ofDomain },
  verify_domain: { access: 'domains:write', ids: ofDomain },
  list_domain_checks: { access: 'domains:read', ids: ofDomain },
  enable_bimi: {
    access: 'user',
    ids: ofDomain,
    body: {
      svgPath: 'logo.svg',
      svgUrl: 'https://cdn.acme.example/logo.svg',
      vmcCertUrl: 'https://cdn.acme.example/mark.pem',
    },
  },
  verify_bimi: { access: 'user', ids: ofDomain },
  disable_bimi: { access: 'user', ids: ofDomain },
  get_domain_zone_file: { access: 'domains:read', ids: ofDomain },
  share_domain: { access: 'domains:write', ids: ofDomain },
  revoke_domain_shares: { access: 'domains:write', ids: ofDomain },
  rotate_domain_dkim: { access: 'domains:write', ids: ofDomain },
  list_inbound_emails: { access: 'inbound:read', ids: { domain_id: 'domain', thread_id: 'no record' } },
  get_inbound_email: { access: 'inbound:read', ids: ofReceived },
  get_inbound_email_raw: { access: 'inbound:read', ids: ofReceived },
  get_inbound_attachment: { access: 'inbound:read', ids: { ...ofReceived, attachmentId: 'no record' } },
  get_inbound_file: { access: 'public', ids: { token: 'no record' } },
  reply_to_inbound_email: { access: 'emails:send', ids: ofReceived, body: { text: 'Hello' } },
  redeliver_inbound_email: { access: 'inbound:write', ids: ofReceived },
  enable_receiving: { access: 'domains:write', ids: ofDomain },
  disable_receiving: { access: 'domains:write', ids: ofDomain },
  change_domain_webhook: { access: 'domains:write', ids: ofDomain, body: { webhookUrl: 'http://127.0.0.1:9/inbound' } },
  test_domain_webhook: { access: 'domains:write', ids: ofDomain },
  change_domain_limits: { access: 'domains:write', ids: ofDomain, body: { maxDailyEmails: 1 } },

  list_webhooks: { access: 'webhooks:read' },
  create_webhook: {
    access: 'webhooks:write',
    ids: keyBody,
    body: { url: 'http://127.0.0.1:9/hooks', events: ['domain.failed'] },
  },
  list_templates: { access: 'templates:read' },
  create_template: { access: 'templates:write', body: { name: 'Another', text: 'Hello' } },
  get_template: { access: 'templates:read', ids: ofTemplate },
  update_template: { access: 'templates:write', ids: ofTemplate, body: { text: 'Changed' } },
  delete_template: { access: 'templates:write', ids: ofTemplate },
  render_template: { access: 'templates:read', ids: ofTemplate, body: {}, changesNothing: true },
  send_template_test: { access: 'emails:send', ids: ofTemplate, body: { to: 'ada@example.com' } },
  list_template_versions: { access: 'templates:read', ids: ofTemplate },
  publish_template: { access: 'templates:write', ids: ofTemplate, body: { version: 1 } },
  roll_back_template: { access: 'templates:write', ids: ofTemplate, body: { version: 1 } },
  duplicate_template: { access: 'templates:write', ids: ofTemplate, body: {} },
  list_users_of_template: { access: 'templates:read', ids: ofTemplate },
  list_contacts: { access: 'contacts:read', ids: { list_id: 'list' } },
  create_contact: { access: 'contacts:write', body: { email: 'new@example.com' } },
  upsert_contacts: { access: 'contacts:write', body: { contacts: [{ email: 'new@example.com' }] } },
  get_contact: { access: 'contacts:read', ids: ofContact },
  update_contact: { access: 'contacts:write', ids: ofContact, body: { name: 'Changed' } },
  delete_contact: { access: 'contacts:write', ids: ofContact },
  unsubscribe_contact: {
    access: 'contacts:write',
    ids: { ...ofContact, list_id: 'list' },
    body: {},
    foreignIs: 404,
  },
  list_lists: { access: 'contacts:read' },
  create_list: { access: 'contacts:write', body: { name: 'New' } },
  get_list: { access: 'contacts:read', ids: ofList },
  update_list: { access: 'contacts:write', ids: ofList, body: { name: 'Changed' } },
  delete_list: { access: 'contacts:write', ids: ofList },
  add_to_list: {
    access: 'contacts:write',
    ids: { ...ofList, contact_ids: 'contact' },
    body: { contact_ids: ['00000000-0000-7000-8000-000000000000'] },
    foreignIs: 200,
  },
  remove_from_list: {
    access: 'contacts:write',
    ids: { ...ofList, contact_ids: 'contact' },
    body: { contact_ids: ['00000000-0000-7000-8000-000000000000'] },
    foreignIs: 200,
  },
  list_segments: { access: 'contacts:read' },
  create_segment: { access: 'contacts:write', body: { name: 'New', filter: SOME_FILTER } },
  preview_segment: { access: 'contacts:read', body: { filter: SOME_FILTER }, changesNothing: true },
  get_segment: { access: 'contacts:read', ids: ofSegment },
  update_segment: { access: 'contacts:write', ids: ofSegment, body: { name: 'Changed' } },
  delete_segment: { access: 'contacts:write', ids: ofSegment },
  list_segment_contacts: { access: 'contacts:read', ids: ofSegment },
  explain_segment: { access: 'contacts:read', ids: ofSegment },
  create_bulk_contact_job: {
    access: 'contacts:write',
    ids: { list_id: 'list' },
    body: { filter: SOME_FILTER, action: { type: 'unsubscribe' } },
    foreignIs: 422,
  },
  import_contacts: { access: 'contacts:write', ids: ofList },
  export_contacts: { access: 'contacts:read', ids: { list_id: 'list', segment_id: 'segment' }, foreignIs: 404 },
  list_bulk_contact_jobs: { access: 'contacts:read' },
  get_bulk_contact_job: { access: 'contacts:read', ids: { id: 'bulkJob' } },
  undo_bulk_contact_job: { access: 'contacts:write', ids: { id: 'bulkJob' } },
  list_contact_activity: { access: 'contacts:read', ids: ofContact },
  list_contact_properties: { access: 'contacts:read' },
  list_broadcasts: { access: 'broadcasts:read' },
  create_broadcast: {
    access: 'broadcasts:write',
    ids: {
      template_id: 'template',
      list_ids: 'list',
      segment_id: 'segment',
      contact_ids: 'contact',
      exclude_list_ids: 'list',
      newsletter_id: 'newsletter',
      follow_up_of: 'broadcast',
    },
    body: { name: 'New' },
    foreignIs: 422,
  },
  get_broadcast: { access: 'broadcasts:read', ids: ofBroadcast },
  update_broadcast: {
    access: 'broadcasts:write',
    ids: {
      ...ofBroadcast,
      template_id: 'template',
      list_ids: 'list',
      segment_id: 'segment',
      contact_ids: 'contact',
      exclude_list_ids: 'list',
      newsletter_id: 'newsletter',
      follow_up_of: 'broadcast',
    },
    body: { name: 'Changed' },
    foreignIs: 422,
  },
  delete_broadcast: { access: 'broadcasts:write', ids: ofBroadcast },
  redirect_broadcast_link: {
    access: 'broadcasts:send',
    ids: ofBroadcast,
    body: { from: 'https://a.test', to: 'https://b.test' },
  },
  correct_broadcast: { access: 'broadcasts:write', ids: ofBroadcast },
  duplicate_broadcast: { access: 'broadcasts:write', ids: ofBroadcast },
  preview_broadcast: { access: 'broadcasts:read', ids: { ...ofBroadcast, contact_id: 'contact' }, foreignIs: 404 },
  send_test_of_broadcast: { access: 'broadcasts:send', ids: ofBroadcast, body: { to: 'ada@example.com' } },
  send_broadcast: { access: 'broadcasts:send', ids: ofBroadcast, body: {} },
  cancel_broadcast: { access: 'broadcasts:send', ids: ofBroadcast },
  pause_broadcast: { access: 'broadcasts:send', ids: ofBroadcast },
  resume_broadcast: { access: 'broadcasts:send', ids: ofBroadcast },
  count_retryable_of_broadcast: { access: 'broadcasts:read', ids: ofBroadcast },
  retry_failed_of_broadcast: { access: 'broadcasts:send', ids: ofBroadcast },
  list_broadcast_recipients: { access: 'broadcasts:read', ids: ofBroadcast },
  list_broadcast_links: { access: 'broadcasts:read', ids: ofBroadcast },
  get_broadcast_stats: { access: 'broadcasts:read', ids: ofBroadcast },
  get_broadcast_course: { access: 'broadcasts:read', ids: ofBroadcast },
  check_broadcast: { access: 'broadcasts:read', ids: ofBroadcast, changesNothing: true },
  count_broadcast_audience: { access: 'broadcasts:read', ids: ofBroadcast },
  list_automations: { access: 'automations:read' },
  create_automation: {
    access: 'automations:write',
    ids: { newsletter_id: 'newsletter', template_id: 'template', list_id: 'list' },
    body: automationBody,
    bodyWith: automationBodies,
    foreignIs: 422,
  },
  get_automation: { access: 'automations:read', ids: ofAutomation },
  update_automation: {
    access: 'automations:write',
    ids: { ...ofAutomation, newsletter_id: 'newsletter', template_id: 'template', list_id: 'list' },
    body: automationBody,
    bodyWith: automationBodies,
    foreignIs: 422,
  },
  delete_automation: { access: 'automations:write', ids: ofAutomation },
  enable_automation: { access: 'automations:write', ids: ofAutomation, body: {} },
  disable_automation: { access: 'automations:write', ids: ofAutomation, body: {} },
  list_automation_runs: { access: 'automations:read', ids: ofAutomation },
  get_automation_run: { access: 'automations:read', ids: { ...ofAutomation, runId: 'automationRun' } },
  start_automation_run: { access: 'automations:write', ids: ofAutomation, body: { email: 'ada@example.com' } },
  test_automation: { access: 'automations:write', ids: ofAutomation, body: { email: 'ada@example.com' } },
  simulate_automation: {
    access: 'automations:write',
    ids: ofAutomation,
    body: { email: 'ada@example.com' },
    changesNothing: true,
  },
  cancel_automation_runs: { access: 'automations:write', ids: ofAutomation, body: {} },
  send_event: {
    access: 'events:write',
    ids: { contact_id: 'contact' },
    body: { name: 'order.paid', contact_id: '00000000-0000-7000-8000-000000000000' },
    foreignIs: 422,
  },
  duplicate_automation: { access: 'automations:write', ids: ofAutomation, body: {} },
  list_all_webhook_deliveries: { access: 'webhooks:read', ids: { webhook_id: 'webhook' } },
  get_webhook: { access: 'webhooks:read', ids: ofWebhook },
  update_webhook: { access: 'webhooks:write', ids: { ...ofWebhook, ...keyBody }, body: { description: 'Changed' } },
  delete_webhook: { access: 'webhooks:write', ids: ofWebhook },
  test_webhook: { access: 'webhooks:write', ids: ofWebhook, body: {} },
  list_events: {
    access: 'emails:read',
    orAccess: [
      'subscribers:read',
      'issues:read',
      'suppressions:read',
      'inbound:read',
      'domains:read',
      'broadcasts:read',
      'scheduled:read',
      'automations:read',
    ],
    ids: { email_id: 'email' },
  },
  list_webhook_deliveries: { access: 'webhooks:read', ids: ofWebhook },
  get_webhook_delivery: { access: 'webhooks:read', ids: { ...ofWebhook, deliveryId: 'delivery' } },
  replay_webhook_delivery: { access: 'webhooks:write', ids: { ...ofWebhook, deliveryId: 'delivery' } },
  replay_webhook: { access: 'webhooks:write', ids: ofWebhook, body: { since: '2026-01-01T00:00:00Z' } },
  rotate_webhook_secret: { access: 'webhooks:write', ids: ofWebhook, body: { overlap_seconds: 60 } },

  list_suppressions: { access: 'suppressions:read' },
  add_suppression: { access: 'suppressions:write', body: { email: 'new@example.com' } },
  add_suppressions: { access: 'suppressions:write', body: { emails: ['new@example.com'] } },
  import_suppressions: { access: 'suppressions:write' },
  export_suppressions: { access: 'suppressions:read' },
  get_suppression: { access: 'suppressions:read', ids: { id_or_email: 'suppression' } },
  remove_suppression: { access: 'suppressions:write', ids: { id_or_email: 'suppression' } },

  upload_image: { access: 'issues:write' },
  copy_image: { access: 'issues:write', body: { url: 'http://127.0.0.1/nowhere.png' } },
  list_images: { access: 'issues:read' },
  get_image: { access: 'issues:read', ids: { id: 'image' } },
  delete_image: { access: 'issues:write', ids: { id: 'image' } },

  list_newsletters: { access: 'newsletters:read' },
  create_newsletter: { access: 'newsletters:write', body: { name: 'New', slug: 'brand-new' } },
  get_newsletter: { access: 'newsletters:read', ids: ofNewsletter },
  update_newsletter: { access: 'newsletters:write', ids: ofNewsletter, body: { name: 'Renamed' } },
  delete_newsletter: { access: 'newsletters:write', ids: ofNewsletter },
  list_deleted_newsletters: { access: 'subscribers:read' },
  list_consents_of_deleted_newsletter: { access: 'subscribers:read', ids: { id: 'deletedNewsletter' } },
  erase_from_deleted_newsletters: { access: 'subscribers:write', body: { email: 'nobody@example.com' } },
  preview_newsletter: {
    access: 'newsletters:read',
    ids: ofNewsletter,
    body: { name: 'Looked at' },
    ofEverybody: true,
  },
  resume_confirmations: { access: 'newsletters:write', ids: ofNewsletter },

  list_subscribers: { access: 'subscribers:read', ids: ofNewsletter },
  create_subscriber: { access: 'subscribers:write', ids: ofNewsletter, body: { email: 'new@example.com' } },
  remind_subscribers: { access: 'subscribers:write', ids: ofNewsletter, body: {} },
  get_subscriber: { access: 'subscribers:read', ids: ofSubscriber },
  update_subscriber: { access: 'subscribers:write', ids: ofSubscriber, body: { name: 'Changed' } },
  delete_subscriber: { access: 'subscribers:write', ids: ofSubscriber },
  unsubscribe_subscriber: { access: 'subscribers:write', ids: ofSubscriber },
  resend_confirmation: { access: 'subscribers:write', ids: ofSubscriber },
  list_subscriber_consents: { access: 'subscribers:read', ids: ofSubscriber },
  list_subscriber_issues: { access: 'subscribers:read', ids: ofSubscriber },

  import_subscribers: { access: 'subscribers:write', ids: ofNewsletter },
  list_imports: {
    access: 'subscribers:read',
    orAccess: ['contacts:read', 'suppressions:read'],
    ids: { newsletter_id: 'newsletter' },
  },
  create_import: { access: 'subscribers:write', orAccess: ['contacts:write', 'suppressions:write'] },
  get_remembered_column_map: { access: 'subscribers:read', orAccess: ['contacts:read', 'suppressions:read'] },
  get_import: { access: 'subscribers:read', orAccess: ['contacts:read', 'suppressions:read'], ids: { id: 'import' } },
  get_import_errors: {
    access: 'subscribers:read',
    orAccess: ['contacts:read', 'suppressions:read'],
    ids: { id: 'import' },
  },
  cancel_import: {
    access: 'subscribers:write',
    orAccess: ['contacts:write', 'suppressions:write'],
    ids: { id: 'import' },
  },
  count_undo: { access: 'subscribers:read', orAccess: ['contacts:read', 'suppressions:read'], ids: { id: 'import' } },
  undo_import: {
    access: 'subscribers:write',
    orAccess: ['contacts:write', 'suppressions:write'],
    ids: { id: 'import' },
  },
  export_subscribers: { access: 'subscribers:read', ids: ofNewsletter },
  create_export: {
    access: 'subscribers:read',
    orAccess: 'contacts:read',
    ids: { newsletter_id: 'newsletter', list_id: 'list', segment_id: 'segment' },
    body: { resource: 'subscribers', filters: { newsletter_id: '00000000-0000-7000-8000-000000000000' } },
    bodyWith: {
      'filters.list_id': { resource: 'contacts', filters: {} },
      'filters.segment_id': { resource: 'contacts', filters: {} },
    },
    foreignIs: 404,
    ofEverybody: true,
  },
  get_export: { access: 'subscribers:read', orAccess: 'contacts:read', ids: { id: 'export' } },
  get_export_file: { access: 'public', ids: { id: 'no record' } },

  get_newsletter_growth: { access: 'newsletters:read', ids: ofNewsletter },
  list_issues: { access: 'issues:read', ids: ofNewsletter },
  create_issue: { access: 'issues:write', ids: ofNewsletter, body: { subject: 'New', html_body: '<p>Hello</p>' } },
  get_issue: { access: 'issues:read', ids: ofIssue },
  update_issue: { access: 'issues:write', ids: ofIssue, body: { subject: 'Changed' } },
  delete_issue: { access: 'issues:write', ids: ofIssue },
  send_issue: { access: 'issues:send', ids: ofIssue },
  schedule_issue: { access: 'issues:send', ids: ofIssue, body: { scheduled_for: inAnHour() } },
  cancel_issue: { access: 'issues:send', ids: ofIssue },
  pause_issue: { access: 'issues:send', ids: ofIssue },
  resume_issue: { access: 'issues:send', ids: ofIssue },
  get_issue_stats: { access: 'issues:read', ids: ofIssue },
  get_issue_course: { access: 'issues:read', ids: ofIssue },
  list_issue_links: { access: 'issues:read', ids: ofIssue },
  list_issue_recipients: { access: 'issues:read', ids: ofIssue },
  count_retryable_recipients: { access: 'issues:read', ids: ofIssue },
  retry_failed_recipients: { access: 'issues:send', ids: ofIssue },
  redirect_issue_link: {
    access: 'issues:send',
    ids: ofIssue,
    body: { from: 'https://a.test', to: 'https://b.test' },
  },
  correct_issue: { access: 'issues:write', ids: ofIssue },
  duplicate_issue: { access: 'issues:write', ids: ofIssue },
  preview_issue: { access: 'issues:read', ids: { ...ofIssue, subscriber_id: 'subscriber' }, foreignIs: 404 },
  send_test_of_issue: { access: 'issues:send', ids: ofIssue, body: { to: 'me@example.com' } },
  check_issue: { access: 'issues:read', ids: ofIssue, ofEverybody: true },

  send_email: {
    access: 'emails:send',
    ids: { templateId: 'template', newsletterId: 'newsletter', contentId: 'no record' },
    body: send,
  },
  send_batch: {
    access: 'emails:send',
    ids: { templateId: 'template', newsletterId: 'newsletter', contentId: 'no record' },
    body: { emails: [send] },
  },
  get_send: { access: 'emails:read', ids: { jobId: 'job' } },
  cancel_send: { access: 'emails:send', ids: { jobId: 'job' } },
  resume_send: { access: 'emails:send', ids: { jobId: 'job' } },
  get_batch: { access: 'emails:read', ids: { id: 'batch' } },
  get_queue: { access: 'emails:read' },
  schedule_email: {
    access: 'scheduled:write',
    orAccess: 'emails:send',
    ids: { templateId: 'template', newsletterId: 'newsletter', contentId: 'no record' },
    body: { ...send, scheduled_for: inAnHour() },
  },
  get_calendar: { access: 'scheduled:read', orAccess: 'issues:read' },
  list_scheduled_emails: { access: 'scheduled:read' },
  get_scheduled_email: { access: 'scheduled:read', ids: ofScheduled },
  update_scheduled_email: {
    access: 'scheduled:write',
    ids: { ...ofScheduled, templateId: 'template', newsletterId: 'newsletter', contentId: 'no record' },
    body: { subject: 'Changed' },
    foreignIs: 422,
  },
  cancel_scheduled_email: { access: 'scheduled:write', ids: ofScheduled },
  reschedule_email: { access: 'scheduled:write', ids: ofScheduled, body: { scheduled_for: inAnHour() } },
  send_scheduled_email_now: { access: 'scheduled:write', ids: ofScheduled },
  get_overview: { access: 'emails:read' },
  get_analytics: {
    access: 'analytics:read',
    ids: { domain_id: 'domain', newsletter_id: 'newsletter', broadcast_id: 'broadcast', template_id: 'template' },
  },
  get_analytics_health: { access: 'analytics:read' },
  list_emails: {
    access: 'emails:read',
    ids: {
      provider_message_id: 'no record',
      domain_id: 'domain',
      api_key_id: 'apiKey',
      template_id: 'template',
      newsletter_id: 'newsletter',
      issue_id: 'issue',
      broadcast_id: 'broadcast',
    },
  },
  get_email: { access: 'emails:read', ids: ofEmail },
  get_email_content: { access: 'emails:read', ids: ofEmail },
  get_email_attachment: { access: 'emails:read', ids: { ...ofEmail, attachmentId: 'no record' } },
  get_email_raw: { access: 'emails:read', ids: ofEmail },
  explain_email: { access: 'emails:read', ids: ofEmail },
  resend_email: { access: 'emails:send', ids: ofEmail },
  send_unconfirmed_again: { access: 'emails:send', ids: ofEmail },
  treat_unconfirmed_as_sent: { access: 'emails:send', ids: ofEmail },
  list_captured_emails: { access: 'emails:read', ids: { email_id: 'email' } },
  get_captured_email: { access: 'emails:read', ids: { id: 'captured' } },
  get_captured_email_raw: { access: 'emails:read', ids: { id: 'captured' } },
  get_captured_email_attachment: { access: 'emails:read', ids: { id: 'captured', attachmentId: 'no record' } },
  get_captured_email_html: { access: 'public', ids: { id: 'no record' } },
  simulate_outcome: { access: 'emails:send', ids: { id: 'captured' }, body: { outcome: 'bounce' } },

  subscribe_publicly: { access: 'public', ids: { slug: 'no record' }, body: { email: 'new@example.com' } },
  resend_publicly: { access: 'public', ids: { slug: 'no record' }, body: { email: 'new@example.com' } },
  get_public_newsletter: { access: 'public', ids: { slug: 'no record' } },

  get_health: { access: 'public' },
  get_metrics: { access: 'public' },
};
