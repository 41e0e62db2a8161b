import { otherNames } from '#platform/http/fields/other-names.ts';

/** The names that other services give to the parts of an email, so that a call is moved by changing its URL. */

const NO_DRY_RUN_IN_BATCH = 'is not available for a batch: try an email with POST /v1/send?dryRun=true';

const NOT_FETCHED = {
  field: 'content',
  message: 'cannot be used: files are not fetched, so send the file as base64 in content',
};

const attachmentNames = otherNames({
  same: {
    Name: 'filename',
    file_name: 'filename',
    type: 'contentType',
    mime_type: 'contentType',
    cid: 'contentId',
    // Postmark writes `cid:logo` here, as the html does.
    ContentID: {
      field: 'contentId',
      read: (value) => (typeof value === 'string' ? value.replace(/^cid:/, '') : value),
    },
  },
  refused: {
    path: NOT_FETCHED,
    href: NOT_FETCHED,
    url: NOT_FETCHED,
    raw: { field: 'content' },
    encoding: 'cannot be used: content is always base64',
  },
});

const SAME = {
  HtmlBody: 'html',
  html_content: 'html',
  body_html: 'html',
  TextBody: 'text',
  text_content: 'text',
  body_text: 'text',
  plain_text: 'text',
  scheduled_at: 'scheduledFor',
  send_at: 'scheduledFor',
  deliver_at: 'scheduledFor',
  track_links: { field: 'trackClicks', read: trackedLinks },
  Tag: { field: 'tags', read: (tag: unknown) => (typeof tag === 'string' ? [{ name: 'tag', value: tag }] : tag) },
  Headers: { field: 'headers', read: headersFromList },
} as const;

const BODY = { field: 'html', message: 'is unknown: did you mean html or text?' };
const RECIPIENTS = { field: 'to' };
const TAGS = { field: 'tags' };
const LATER = { field: 'scheduledFor' };
const TRACKING = 'is unknown: did you mean trackOpens and trackClicks?';

const REFUSED = {
  // SendGrid
  personalizations: {
    field: 'to',
    message: 'cannot be used: put the recipients in to, or send each message as an item of POST /v1/batch',
  },
  content: BODY,
  reply_to_list: { field: 'replyTo' },
  categories: TAGS,
  custom_args: { field: 'metadata' },
  tracking_settings: TRACKING,
  mail_settings: { field: 'sandbox' },
  asm: 'cannot be used: one-click unsubscribing belongs to newsletters',
  ip_pool_name: 'cannot be used: Posthorn has no pools of addresses',
  // Postmark
  MessageStream: 'cannot be used: leave it out, because transactional mail always goes before bulk mail',
  TemplateAlias: { field: 'templateId' },
  TemplateModel: { field: 'variables' },
  // Resend
  react: { field: 'html', message: 'cannot be used: render it to html first' },
  topic_id: 'cannot be used: one-click unsubscribing belongs to newsletters',
  // Mailgun, Amazon SES, Brevo, SparkPost and mail libraries
  template: { field: 'templateId' },
  template_data: { field: 'variables' },
  dynamic_template_data: { field: 'variables' },
  body: BODY,
  message: BODY,
  params: { field: 'variables' },
  substitutions: { field: 'variables' },
  recipient: RECIPIENTS,
  recipients: RECIPIENTS,
  to_addresses: RECIPIENTS,
  destination: RECIPIENTS,
  sender: { field: 'from' },
  source: { field: 'from' },
  from_email: { field: 'from', message: 'is unknown: write from as Name <address>' },
  from_name: { field: 'from', message: 'is unknown: write from as Name <address>' },
  from_email_address: { field: 'from' },
  reply_to_addresses: { field: 'replyTo' },
  delay: LATER,
  delivery_time: LATER,
  'o:deliverytime': LATER,
  schedule: LATER,
  schedule_time: LATER,
  scheduled_time: LATER,
  send_time: LATER,
  send_after: LATER,
  deliver_after: LATER,
  expires: { field: 'expiresAt' },
  ttl: { field: 'expiresAt' },
  options: TRACKING,
  tracking: TRACKING,
  test_mode: { field: 'sandbox' },
  'o:testmode': { field: 'sandbox' },
  sandbox_mode: { field: 'sandbox' },
  'o:tag': TAGS,
  'o:tracking': TRACKING,
  'h:Reply-To': { field: 'replyTo' },
  template_name: { field: 'templateId' },
  merge_vars: { field: 'variables' },
  global_merge_vars: { field: 'variables' },
  references: { field: 'inReplyTo' },
  amp: 'cannot be used: Posthorn sends html and text',
  ical_event: 'cannot be used: send the invitation as an attachment',
} as const;

const inside = { attachments: attachmentNames };

/** For one email. */
export const SEND_NAMES = otherNames({ same: SAME, refused: REFUSED, inside });

/** For an item of a batch: its key and its dry run are matters of the whole request. */
export const BATCH_ITEM_NAMES = otherNames({
  same: SAME,
  refused: {
    ...REFUSED,
    idempotency_key: 'belongs to the whole batch: use the header Idempotency-Key',
    dry_run: NO_DRY_RUN_IN_BATCH,
  },
  inside,
});

/** For the object around the items. */
export const BATCH_NAMES = otherNames({
  same: { messages: 'emails', batch_validation: 'mode' },
  refused: { dry_run: NO_DRY_RUN_IN_BATCH },
});

/** Postmark: `None`, `HtmlAndText`, `HtmlOnly` or `TextOnly`. Links of a text are never changed here. */
function trackedLinks(value: unknown): unknown {
  if (value === 'None' || value === 'TextOnly') return false;
  return value === 'HtmlAndText' || value === 'HtmlOnly' ? true : value;
}

/** Postmark: `[{ "Name": "X-Order", "Value": "42" }]`. A name that stands twice cannot be one field of an object. */
function headersFromList(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const pairs = value.map((item: unknown): [unknown, unknown] => {
    const { Name, Value }: { Name?: unknown; Value?: unknown } = typeof item === 'object' && item !== null ? item : {};
    return [Name, Value];
  });
  const names = new Set(pairs.map(([name]) => name));
  const isGood = pairs.every(([name]) => typeof name === 'string') && names.size === pairs.length;
  return isGood ? Object.fromEntries(pairs) : value;
}
