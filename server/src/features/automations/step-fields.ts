/** The kinds of steps, with the fields of their configs: one list for the schema, the check and the reference. */
export const STEP_FIELDS = {
  send_email: ['template_id', 'template_version', 'from', 'subject', 'transactional'],
  delay: ['duration', 'until_local', 'timezone'],
  wait_for_event: ['event', 'timeout', 'on_timeout'],
  condition: ['field', 'op', 'value', 'else'],
  update_contact: ['properties'],
  add_to_list: ['list_id'],
  remove_from_list: ['list_id'],
  unsubscribe: ['list_id', 'newsletter_id'],
  webhook: ['url'],
  end: [],
} as const satisfies Record<string, readonly string[]>;

export type StepType = keyof typeof STEP_FIELDS;
export const STEP_TYPES = Object.keys(STEP_FIELDS) as StepType[]; // the keys are exactly the union

/** Events of this service that start, wake and end runs. */
export const OWN_EVENTS = [
  'newsletter_subscribed',
  'newsletter_confirmed',
  'newsletter_unsubscribed',
  'issue_sent',
  'email_delivered',
  'email_opened',
  'email_clicked',
  'email_bounced',
  'email_complained',
  'contact_created',
  'contact_updated',
  'list_joined',
  'inbound_received',
] as const;

export const isEmailEvent = (type: string): boolean => type.startsWith('email_');
/** Whose person is on a list, or a contact, at this moment. */
export const isOfMember = (type: string): boolean =>
  type.startsWith('newsletter_') || type.startsWith('contact_') || type === 'list_joined';
export const isNewsletterEvent = (type: string): boolean => type.startsWith('newsletter_') || type === 'issue_sent';

/** Steps that change who the person is in the workspace. */
export const CONTACT_STEPS = ['update_contact', 'add_to_list', 'remove_from_list', 'unsubscribe'] as const;
export type ContactStep = (typeof CONTACT_STEPS)[number];

export const OPS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'greater_than',
  'less_than',
  'in',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
] as const;
type Op = (typeof OPS)[number];

/** The names of some of them in segments. Instants are compared like numbers. */
const AS_IN_SEGMENTS = {
  gt: 'greater_than',
  lt: 'less_than',
  after: 'greater_than',
  before: 'less_than',
  is_set: 'exists',
  is_not_set: 'not_exists',
} as const satisfies Record<string, Op>;
type SegmentOp = keyof typeof AS_IN_SEGMENTS;

export const SEGMENT_OPS = Object.keys(AS_IN_SEGMENTS) as SegmentOp[]; // the keys are exactly the union
const isOfSegments = (op: Op | SegmentOp): op is SegmentOp => Object.hasOwn(AS_IN_SEGMENTS, op);

export const meaningOf = (op: Op | SegmentOp): Op => (isOfSegments(op) ? AS_IN_SEGMENTS[op] : op);

/** Whether a condition with it compares with a value. */
export const comparesWithValue = (op: Op | SegmentOp): boolean =>
  !['exists', 'not_exists', 'is_true', 'is_false'].includes(meaningOf(op));
