import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { formatBytes } from '../../lib/number.ts';
import { exactTime, utcTime } from '../../lib/time.ts';
import type { Property } from '../../ui/record/Properties.tsx';

const some = (label: string, value: Property['value'] | false): Property[] =>
  value === false || value === null || value === '' ? [] : [{ label, value }];

/** The fields of the record that have a value. */
export const propertiesOf = (email: ScheduledEmail): Property[] => [
  { label: 'To', value: email.to.join(', ') },
  ...some('Cc', email.cc.join(', ')),
  ...some('Bcc', email.bcc.join(', ')),
  { label: 'From', value: email.from ?? 'The sender of the template' },
  ...some('Reply-To', email.reply_to.join(', ')),
  { label: 'Leaves', value: exactTime(email.scheduled_for), copy: utcTime(email.scheduled_for) },
  ...some('Zone', email.timezone),
  ...some(
    'Too late after',
    email.max_delay_seconds !== null && `${email.max_delay_seconds.toLocaleString('en')} seconds`,
  ),
  ...some('Expires', email.expires_at !== null && exactTime(email.expires_at)),
  ...some('Template', email.template_id !== null && <a href={pb.template(email.template_id)}>Open the template</a>),
  ...some(
    'Newsletter',
    email.newsletter_id !== null && <a href={pb.newsletter(email.newsletter_id)}>Open the newsletter</a>,
  ),
  ...some('Batch', email.batch_id !== null && <a href={pb.batch(email.batch_id)}>Open the batch</a>),
  ...some('Send', email.job_id !== null && <a href={pb.send(email.job_id)}>Open its emails</a>),
  ...some('Files', email.attachments.map(({ filename, size }) => `${filename} (${formatBytes(size)})`).join(', ')),
  ...some('Tags', email.tags.map(({ name, value }) => `${name}: ${value}`).join(', ')),
  ...some('Message-ID', email.message_id),
  { label: 'Id', value: email.id, copy: email.id, mono: true },
  { label: 'Accepted', value: exactTime(email.created_at) },
];
