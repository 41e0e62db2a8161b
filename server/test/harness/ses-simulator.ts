import {
  bounceEvent,
  complaintEvent,
  deliveryDelayEvent,
  deliveryEvent,
  rejectEvent,
  sendEvent,
  type SesEvent,
  type SesMail,
} from './ses-payloads.ts';

interface Taken {
  messageId: string;
  from: string;
  to: string[];
  tags: Record<string, string>;
  configurationSet: string | null;
}

/**
 * What SES would publish about a message, one recipient at a time: as the addresses of the mailbox simulator have it
 * (page "Using the mailbox simulator manually"), everything else is delivered.
 */
export function simulatedEvents(message: Taken): SesEvent[] {
  const { posthorn_workspace: workspaceId, posthorn_email: emailId } = message.tags;
  return message.to.flatMap((recipient) => {
    const mail: SesMail = {
      messageId: message.messageId,
      source: message.from,
      destination: [recipient],
      sentAt: new Date(),
      configurationSet: message.configurationSet ?? 'none',
      ...(workspaceId === undefined ? {} : { workspaceId }),
      ...(emailId === undefined ? {} : { emailId }),
    };
    return [sendEvent(mail), ...fateOf(mail, recipient)];
  });
}

function fateOf(mail: SesMail, recipient: string): SesEvent[] {
  const [, who] = /^([a-z]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(recipient) ?? [];
  switch (who?.toLowerCase()) {
    case 'bounce':
      return [bounceEvent(mail)];
    case 'softbounce':
      return [bounceEvent(mail, { bounceType: 'Transient', bounceSubType: 'MailboxFull' })];
    case 'suppressionlist':
      return [bounceEvent(mail, { bounceSubType: 'Suppressed' })];
    case 'complaint':
      return [deliveryEvent(mail), complaintEvent(mail)];
    case 'reject':
      return [rejectEvent(mail)];
    case 'delay':
      return [deliveryDelayEvent(mail), deliveryEvent(mail)];
    default:
      return [deliveryEvent(mail)];
  }
}
