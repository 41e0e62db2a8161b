import type { LayoutRules } from '../imports/layout.ts';

/** The meanings of a column in a file of people. `metadata.<key>` is a column of one key of the metadata. */
export const FIELDS = [
  'email',
  'name',
  'first_name',
  'last_name',
  'status',
  'type',
  'subscribed',
  'unsubscribed',
  'metadata',
  'tags',
  'source',
  'unsubscribe_reason',
  'created_at',
  'confirmed_at',
  'unsubscribed_at',
  'cleaned_at',
  'ip',
  'confirmed_ip',
  'consent',
  'confirmation_sent_at',
  'confirmation_count',
  'last_opened_at',
  'last_clicked_at',
] as const;
export type Field = (typeof FIELDS)[number];

/** Without case, spaces and marks; first the name that says most. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  email: ['email', 'emailaddress', 'subscriberemail', 'contactemail', 'address', 'mail', 'recipient'],
  name: ['name', 'fullname', 'displayname', 'subscribername', 'contactname'],
  first_name: ['firstname', 'fname', 'givenname', 'first'],
  last_name: ['lastname', 'lname', 'surname', 'familyname', 'last'],
  status: ['status', 'subscriptionstatus', 'subscriberstatus', 'subscribertype', 'state'],
  type: [], // below: it may mean anything
  subscribed: ['subscribed', 'subscribedtoemails', 'issubscribed', 'optedin'],
  unsubscribed: ['unsubscribed', 'emaildisabled', 'optedout', 'isunsubscribed'],
  metadata: ['metadata', 'attributes', 'attribs', 'properties', 'customfields', 'data'],
  tags: ['tags', 'labels'],
  source: ['source', 'signupsource', 'utmsource', 'referrer', 'origin'],
  unsubscribe_reason: ['unsubscribereason'],
  created_at: [
    'createdat',
    'created',
    'creationdate',
    'subscribedat',
    'subscribedate',
    'subscriptiondate',
    'optintime',
    'signupdate',
    'signupat',
    'joinedat',
    'dateadded',
    'addedat',
    'starttime',
  ],
  confirmed_at: ['confirmedat', 'confirmtime', 'confirmationdate', 'optinconfirmedat'],
  unsubscribed_at: ['unsubscribedat', 'unsubtime', 'unsubscribedate', 'unsubscriptiondate', 'optouttime'],
  cleaned_at: ['cleantime', 'bouncedat'],
  ip: ['optinip', 'signupip', 'ipaddress', 'ip'],
  confirmed_ip: ['confirmip', 'confirmedip'],
  consent: ['consent'],
  confirmation_sent_at: ['confirmationsentat'],
  confirmation_count: ['confirmationcount'],
  last_opened_at: ['lastopenedat'],
  last_clicked_at: ['lastclickedat'],
};

export const PERSON_LAYOUT: LayoutRules = {
  names: NAMES,
  // Buttondown's word for the status. Elsewhere it is a column like others, and stays one.
  besides: { field: 'type', name: 'type' },
};
