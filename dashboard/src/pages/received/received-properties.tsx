import type { InboundEmail, InboundMailbox } from '../../api/generated/types.gen.ts';
import { formatBytes } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import type { Property } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { MATCHED_BY } from './received-words.ts';

const written = ({ name, email }: InboundMailbox): string => (name === null ? email : `${name} <${email}>`);

const mailboxes = (label: string, list: readonly InboundMailbox[]): Property | false =>
  list.length > 0 && { label, value: list.map(written).join(', '), copy: list.map(({ email }) => email).join(', ') };

/** From whom and to whom, when, and the email that it answers. A field without a value is left out. */
export function envelopeOf(mail: InboundEmail): Property[] {
  const { from, in_reply_to_email_id: answered, matched_by: how } = mail;
  const all: (Property | false)[] = [
    from !== null && { label: 'From', value: written(from), copy: from.email },
    mailboxes('To', mail.to),
    mailboxes('Cc', mail.cc),
    mailboxes('Reply to', mail.reply_to),
    { label: 'Received', value: <RelativeTime at={mail.received_at} /> },
    answered !== null && {
      label: 'Answers',
      value: (
        <>
          <a href={pb.email(answered)}>An email of yours</a>
          {how !== null && `: ${MATCHED_BY[how]}`}
        </>
      ),
    },
  ];
  return all.filter((one) => one !== false);
}

/** The fields that a reader of the message seldom asks for. */
export function detailsOf(mail: InboundEmail): Property[] {
  const { envelope, domain } = mail;
  const all: (Property | false)[] = [
    {
      label: 'Envelope',
      value: `from ${envelope.from === '' ? 'nobody' : envelope.from} to ${envelope.to.join(', ')}`,
    },
    domain !== null && {
      label: 'Domain',
      value: <a href={pb.domainTab(domain.id, 'receiving')}>{domain.domain}</a>,
    },
    mail.mailbox_hash !== null && { label: 'Tag of the address', value: mail.mailbox_hash, copy: mail.mailbox_hash },
    { label: 'Size', value: formatBytes(mail.size) },
    mail.message_id !== null && { label: 'Message-ID', value: mail.message_id, copy: mail.message_id, mono: true },
    { label: 'Id', value: mail.id, copy: mail.id, mono: true },
  ];
  return all.filter((one) => one !== false);
}
