import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arf, dsn, fields, plain, RETURN_PATH, RETURNED, summary } from './test-kit.ts';

const GONE = 'bounce Permanent/General ada@example.com';
const SOFT = 'bounce Transient/General ada@example.com';
const FULL = 'bounce Transient/MailboxFull ada@example.com';
const CONTENT = 'bounce Transient/ContentRejected ada@example.com';
const UNCLEAR = 'bounce Undetermined/Undetermined ada@example.com';
const DELAY = 'delivery_delay ada@example.com';

const reports: readonly [what: string, status: string, diagnostic: string, expected: string][] = [
  [
    'Postfix, unknown user',
    '5.1.1',
    'smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table',
    GONE,
  ],
  [
    'Postfix, no such domain',
    '5.4.4',
    'X-Postfix; Host or domain name not found. Name service error for name=example.com type=A: Host not found',
    GONE,
  ],
  ['Postfix, null MX', '5.1.10', 'X-Postfix; Domain example.com does not accept mail (nullMX)', GONE],
  ['Postfix, queue expired', '4.4.1', 'X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out', SOFT],
  ['Postfix, loop', '5.4.6', 'X-Postfix; mail for example.com loops back to myself', SOFT],
  ['Postfix, over quota', '5.2.2', 'smtp; 552 5.2.2 <ada@example.com>: user is over quota', FULL],
  ['Dovecot, over quota without a detail', '5.0.0', 'smtp; 552 Quota exceeded (mailbox for user is full)', FULL],
  ['Exim, relay not permitted', '5.0.0', 'smtp; 550 relay not permitted, authentication required', UNCLEAR],
  ['Exim, unrouteable address', '5.0.0', 'smtp; 550 Unrouteable address', GONE],
  ['Exim, no such user here', '5.0.0', 'smtp; 550-No Such User Here"', GONE],
  ['Sendmail, user unknown', '5.1.1', 'SMTP; 550 5.1.1 <ada@example.com>... User unknown', GONE],
  ['Sendmail, host unknown', '5.1.2', 'DNS; Host unknown (Name server: example.com: host not found)', GONE],
  ['Sendmail, gave up after five days', '4.4.7', 'X-Unix; Message could not be delivered for 5 days', SOFT],
  [
    'Exchange Online, recipient not in the directory',
    '5.1.10',
    'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    GONE,
  ],
  [
    'Exchange Online, edge blocking',
    '5.4.1',
    'smtp;550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR01FT037.eop-EUR01.prod.protection.outlook.com]',
    GONE,
  ],
  [
    'Exchange Online, domain does not exist',
    '5.4.310',
    'smtp;550 5.4.310 DNS domain example.com does not exist [Message=InfoDomainNonexistent]',
    GONE,
  ],
  [
    'Exchange Online, mailbox full',
    '5.2.2',
    'smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
    FULL,
  ],
  [
    'Exchange Online, sender not allowed',
    '5.7.133',
    'smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
    UNCLEAR,
  ],
  [
    'Exchange Online, address of ours banned',
    '5.7.606',
    'smtp;550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
    UNCLEAR,
  ],
  [
    'Exchange, message too large',
    '5.3.4',
    'smtp;552 5.3.4 Message size exceeds fixed limit',
    'bounce Transient/MessageTooLarge ada@example.com',
  ],
  [
    'Outlook.com, mailbox unavailable',
    '5.5.0',
    'smtp; 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)',
    GONE,
  ],
  [
    'Outlook.com, block list',
    '5.7.1',
    "smtp; 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Part of their network is on our block list (S3140)",
    UNCLEAR,
  ],
  [
    'Gmail, no such account',
    '5.1.1',
    'smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try 550 5.1.1 double-checking',
    GONE,
  ],
  ['Gmail, disabled account', '5.2.1', 'smtp; 550 5.2.1 The email account that you tried to reach is inactive.', GONE],
  [
    'Gmail, receiving too much',
    '5.2.1',
    'smtp; 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    SOFT,
  ],
  ['Gmail, out of storage', '4.2.2', "smtp; 452 4.2.2 The recipient's inbox is out of storage space.", FULL],
  [
    'Gmail, likely unsolicited',
    '5.7.1',
    'smtp; 550-5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail.',
    CONTENT,
  ],
  [
    'Gmail, DMARC',
    '5.7.26',
    "smtp; 550 5.7.26 Unauthenticated email from example.org is not accepted due to domain's DMARC policy.",
    UNCLEAR,
  ],
  [
    'Gmail, forbidden attachment',
    '5.7.0',
    'smtp; 552-5.7.0 This message was blocked because its content presents a potential security issue. Please visit about attachments',
    'bounce Transient/AttachmentRejected ada@example.com',
  ],
  [
    'Yahoo, no mailbox',
    '5.0.0',
    "smtp; 554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]",
    GONE,
  ],
  [
    'Yahoo, disabled mailbox',
    '5.0.0',
    'smtp; 554 30 Sorry, your message to ada@example.com cannot be delivered. This mailbox is disabled (554.30).',
    GONE,
  ],
  [
    'Yahoo, deferred for complaints, given up',
    '4.7.0',
    'smtp; 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints',
    SOFT,
  ],
  [
    'Amazon, suppressed',
    '5.1.1',
    'Amazon SES has suppressed sending to this address because it has a recent history of bouncing',
    GONE,
  ],
  ['Zimbra, virus', '5.7.0', 'smtp; 554 5.7.0 Reject, id=1-1 - INFECTED: Eicar-Test-Signature', CONTENT],
  ['Zimbra, content', '5.6.0', 'smtp; 554 5.6.0 Message contains invalid header', CONTENT],
  [
    'Barracuda',
    '5.0.0',
    'smtp; 554 Service unavailable; Client host [192.0.2.1] blocked using Barracuda Reputation',
    UNCLEAR,
  ],
  [
    'Spamhaus',
    '5.7.1',
    'smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    UNCLEAR,
  ],
  [
    'Proofpoint, user unknown under a policy status',
    '5.7.1',
    'smtp; 550 5.7.1 User unknown; rejected by policy',
    UNCLEAR,
  ],
  ['greylisted until given up', '4.7.1', 'smtp; 451 4.7.1 Greylisting in action, please come back later', SOFT],
  [
    'a temporary "user unknown"',
    '4.1.1',
    'smtp; 450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address',
    SOFT,
  ],
  [
    "the sender's domain is what does not exist",
    '5.1.8',
    'smtp; 550 5.1.8 <shop@example.org>: Sender address rejected: Domain not found',
    UNCLEAR,
  ],
  ['5.1.0 with a reason that is about us', '5.1.0', 'smtp; 550 5.1.0 spam from your network, see our policy', UNCLEAR],
  ['no reason at all', '5.0.0', 'smtp; 554 Transaction failed', UNCLEAR],
];
for (const [what, status, diagnostic, expected] of reports)
  test(`report: ${what}`, async () => {
    assert.equal(await summary(dsn({ fields: fields(status, diagnostic) })), expected);
  });

const own: readonly [what: string, mail: string, expected: string][] = [
  [
    'a warning of Postfix',
    dsn({
      subject: 'Delayed Mail (still being retried)',
      fields: fields('4.4.1', 'X-Postfix; connect to mx.example.com: Connection refused', 'delayed'),
    }),
    DELAY,
  ],
  [
    'greylisting',
    dsn({
      fields: fields('4.2.0', 'smtp; 450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted', 'delayed'),
    }),
    DELAY,
  ],
  [
    'a receipt of delivery',
    dsn({ fields: fields('2.0.0', 'smtp; 250 2.0.0 Ok: queued', 'delivered') }),
    'delivery ada@example.com',
  ],
  [
    'handed on to a server that reports nothing',
    dsn({ fields: fields('2.0.0', 'smtp; 250 ok', 'relayed') }),
    'ignored: nothing failed',
  ],
  ['given to a list', dsn({ fields: fields('2.1.5', 'smtp; 250 ok', 'expanded') }), 'ignored: nothing failed'],
  [
    'comments, capitals and brackets',
    dsn({
      fields:
        'FINAL-RECIPIENT: RFC822; <ada@example.com>\nACTION: Failed (permanently)\nSTATUS: 5.1.1 (bad destination mailbox address)',
    }),
    GONE,
  ],
  ['everything in one group', dsn({ status: `Reporting-MTA: dns; mx\n${fields('5.1.1', 'smtp; 550 no')}` }), GONE],
  [
    'a folded diagnostic',
    dsn({
      fields:
        'Final-Recipient: rfc822;ada@example.com\nAction: failed\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried\n to reach does not\n exist',
    }),
    GONE,
  ],
  [
    'no status, and a text',
    dsn({ fields: 'Final-Recipient: rfc822;ada@example.com\nAction: failed\nDiagnostic-Code: smtp; 550 User unknown' }),
    GONE,
  ],
  ['no status and no text', dsn({ fields: 'Final-Recipient: rfc822;ada@example.com\nAction: failed' }), UNCLEAR],
  [
    'the address we wrote to beside that of a forward',
    dsn({
      fields:
        'Original-Recipient: rfc822;ada@example.com\nFinal-Recipient: rfc822;lovelace@elsewhere.example\nAction: failed\nStatus: 5.1.1',
    }),
    GONE,
  ],
  [
    'an internationalised report (RFC 6533)',
    dsn({ fields: fields('5.1.1', 'smtp; 550 no') }).replace(
      'message/delivery-status',
      'message/global-delivery-status',
    ),
    GONE,
  ],
  [
    'a report in base64',
    dsn({ status: 'X' }).replace(
      'Content-Type: message/delivery-status\n\nX',
      `Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n${Buffer.from(
        `Reporting-MTA: dns; mx\n\n${fields('5.1.1', 'smtp; 550 no')}`,
      )
        .toString('base64')
        .replace(/.{70}/g, '$&\n')}`,
    ),
    GONE,
  ],
  [
    'two recipients',
    dsn({
      fields: `${fields('5.1.1', 'smtp; 550 no')}\n\n${fields('2.0.0', 'smtp; 250 ok', 'delivered', 'bob@example.com')}`,
    }),
    `${GONE}, delivery bob@example.com`,
  ],
  [
    'one recipient twice',
    dsn({ fields: `${fields('5.1.1', 'smtp; 550 no')}\n\n${fields('5.1.1', 'smtp; 550 no')}` }),
    GONE,
  ],

  [
    'qmail',
    plain(
      "Hi. This is the qmail-send program at example.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ada@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <x@y.example>\nmailbox full",
    ),
    GONE,
  ],
  [
    'qmail, full',
    plain(
      'Hi. This is the qmail-send program at example.com.\n\n<ada@example.com>:\nThe users mailfolder is over the allowed quota (size). (#5.2.2)\n\n--- Below this line is a copy of the message.',
    ),
    FULL,
  ],
  [
    'qmail, timed out',
    plain(
      "Hi. This is the qmail-send program at example.com.\n\n<ada@example.com>:\n192.0.2.1 does not like recipient.\nI'm not going to try again; this message has been in the queue too long.\n\n--- Below this line is a copy of the message.",
    ),
    'bounce Transient/General ada@example.com',
  ],
  [
    'Exim',
    plain(
      'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ada@example.com\n    host mx.example.com [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ada@example.com>:\n    550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\nReceived: by us',
      'From: Mail Delivery System <Mailer-Daemon@mx.example.net>\nX-Failed-Recipients: ada@example.com\nAuto-Submitted: auto-replied\nSubject: Mail delivery failed: returning message to sender',
    ),
    GONE,
  ],
  [
    'Exim, a warning',
    plain(
      'This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\n  ada@example.com\n    Delay reason: Connection timed out\n\nNo action is required on your part.',
      'From: Mail Delivery System <Mailer-Daemon@mx.example.net>\nSubject: Warning: message 1abc delayed 24 hours',
    ),
    DELAY,
  ],
  [
    'Sendmail without a report',
    plain(
      'The original message was received at Sat, 21 Nov 2026 10:00:00 GMT\n\n   ----- The following addresses had permanent fatal errors -----\n<ada@example.com>\n    (reason: 550 5.1.1 <ada@example.com>... User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.com.:',
      'From: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>\nSubject: Returned mail: see transcript for details',
    ),
    GONE,
  ],
  [
    'old Yahoo',
    plain(
      "Sorry, we were unable to deliver your message to the following address.\n\n<ada@example.com>:\nRemote host said: 554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]\n\n--- Below this line is a copy of the message.",
    ),
    GONE,
  ],
  [
    'old Gmail',
    plain(
      'Delivery to the following recipient failed permanently:\n\n     ada@example.com\n\nTechnical details of permanent failure:\nThe error that the other server returned was: 550 550 5.1.1 unknown user\n\n----- Original message -----',
    ),
    GONE,
  ],
  [
    'Exchange 5.5',
    plain(
      'Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n      ada@example.com on 11/21/2026\n            The e-mail account does not exist at the organization this message was sent to.\n            <mx.example.com #5.1.1>',
      'From: System Administrator <postmaster@mx.example.net>\nSubject: Undeliverable: Your order',
    ),
    GONE,
  ],
  [
    'Postfix for people',
    plain(
      "This is the mail system at host mx.example.com.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<ada@example.com>: host mx said: 550 5.7.1 Message rejected as spam",
      'From: MAILER-DAEMON\nSubject: Undelivered Mail Returned to Sender',
    ),
    CONTENT,
  ],
  [
    'a server that speaks German',
    plain(
      'Ihre Nachricht an ada@example.com konnte nicht zugestellt werden.\nGrund: 550 Benutzer unbekannt (Empfänger unbekannt)',
      'From: postmaster@t.example\nSubject: =?utf-8?q?Unzustellbar?=\nContent-Type: text/plain; charset=utf-8',
    ),
    GONE,
  ],
  [
    'a server that speaks French',
    plain(
      "Votre message n'a pas pu être remis à ada@example.com: 550 destinataire inconnu",
      'From: postmaster@t.example\nSubject: Echec\nContent-Type: text/plain; charset=utf-8',
    ),
    GONE,
  ],
  [
    'a text with no reason',
    plain('Hi. This is the qmail-send program at example.com.\n\n<ada@example.com>:\nI could not do it.'),
    UNCLEAR,
  ],
  [
    'Exim, auto-replied and without X-Failed-Recipients',
    plain(
      'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered. The following address(es) failed:\n\n  ada@example.com\n    550 5.1.1 User unknown\n',
      'From: Mail Delivery System <Mailer-Daemon@mx.example.net>\nAuto-Submitted: auto-replied\nSubject: Mail delivery failed',
    ),
    GONE,
  ],
  [
    'auto-replied, from a postmaster, in an opening nobody knows',
    plain(
      'Hello! Kaputt!\n\nada@example.com: 550 5.1.1 no such\nuser',
      'From: postmaster@mx.example.net\nAuto-Submitted: auto-replied\nSubject: Undelivered mail',
    ),
    GONE,
  ],
  [
    'Gmail without a reason in its fields, and the words for people',
    dsn({
      fields: 'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.0.0',
      human:
        "** Address not found **\n\nYour message wasn't delivered to ada@example.com because the address couldn't be found, or is unable to receive mail.",
    }),
    GONE,
  ],
  [
    'words for people about two, each with the own paragraph',
    dsn({
      fields:
        'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.0.0\n\nFinal-Recipient: rfc822; bob@example.com\nAction: failed\nStatus: 5.0.0',
      human: '<ada@example.com>: User unknown\n\n<bob@example.com>: 550 rejected for policy reasons',
    }),
    `${GONE}, bounce Undetermined/Undetermined bob@example.com`,
  ],
  [
    'a report that knows the original recipient only',
    dsn({ fields: 'Original-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1' }),
    GONE,
  ],
  [
    'a text about two, each with the own paragraph',
    plain(
      'Hi. This is the qmail-send program at example.com.\n\n<ada@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n<bob@example.com>:\nmailbox is full\n\n--- Below this line is a copy of the message.',
    ),
    `bounce Transient/MailboxFull , ${GONE}, bounce Transient/MailboxFull bob@example.com`,
  ],
  [
    'a text about two, with one reason below both',
    plain(
      'Hi. This is the qmail-send program at example.com.\n\nada@example.com\nbob@example.com\n\nUser unknown\n\n--- Below this line is a copy of the message.',
    ),
    `bounce Permanent/General , ${UNCLEAR}, bounce Undetermined/Undetermined bob@example.com`,
  ],
  [
    'a text that names nobody',
    plain('Hi. This is the qmail-send program at example.com.\nUser unknown.'),
    'bounce Permanent/General ',
  ],

  ['a complaint', arf({}), 'complaint ada@example.com'],
  [
    'a complaint of Yahoo that hides who',
    arf({ fields: `Original-Mail-From: <${RETURN_PATH}>\nReported-Domain: example.org\n` }),
    'complaint ',
  ],
  ['an opt-out', arf({ type: 'Feedback-Type: opt-out' }), 'complaint ada@example.com'],
  ['fraud', arf({ type: 'Feedback-Type: FRAUD' }), 'complaint ada@example.com'],
  ['a type nobody knows', arf({ type: 'Feedback-Type: grumble' }), 'complaint ada@example.com'],
  ['not spam after all', arf({ type: 'Feedback-Type: not-spam' }), 'ignored: a feedback report of type not-spam'],
  [
    'a failed signature (RFC 6591)',
    arf({ type: 'Feedback-Type: auth-failure' }),
    'ignored: a feedback report of type auth-failure',
  ],
  [
    'Outlook.com, which sends the message itself',
    `From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: ada@example.com\n${RETURNED}\nHello\n--x--\n`,
    'complaint ada@example.com',
  ],

  [
    'a holiday notice of Exchange',
    plain(
      'I am out of the office until Monday. ada@example.com is not available.',
      'From: Ada <ada@example.com>\nSubject: Automatic reply: Your order\nAuto-Submitted: auto-generated\nX-Auto-Response-Suppress: All',
    ),
    'ignored: an automatic answer',
  ],
  [
    'one of vacation(1)',
    plain(
      'I am on vacation. Your message could not be delivered to my brain.',
      'From: ada@example.com\nSubject: away\nAuto-Submitted: auto-replied (vacation)\nPrecedence: bulk',
    ),
    'ignored: an automatic answer',
  ],
  [
    'one of Gmail',
    plain(
      'Thanks, I am away.',
      'From: ada@example.com\nSubject: Out of office Re: Your order\nPrecedence: bulk\nX-Autoreply: yes',
    ),
    'ignored: an automatic answer',
  ],
  [
    'a German one',
    plain(
      'Ich bin bis Montag nicht im Büro. Ihre Nachricht wurde nicht weitergeleitet.',
      'From: ada@example.com\nSubject: Abwesenheit\nAuto-Submitted: auto-replied',
    ),
    'ignored: an automatic answer',
  ],
  [
    'a French one without a mark',
    plain("Je suis absent jusqu'au lundi.", 'From: ada@example.com\nSubject: Absence du bureau'),
    'ignored: no report',
  ],
  [
    'a Japanese one',
    plain(
      '=E4=B8=8D=E5=9C=A8',
      'From: ada@example.com\nSubject: =?utf-8?b?5LiN5Zyo?=\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable',
    ),
    'ignored: no report',
  ],
  [
    'a challenge',
    plain('Please click here to prove that you are a person.', 'From: ada@example.com\nSubject: Confirm'),
    'ignored: no report',
  ],
  [
    'somebody who answers by hand',
    plain('No thanks.\n\n> Your order', 'From: ada@example.com\nSubject: Re: Your order'),
    'ignored: no report',
  ],
  [
    'a read receipt',
    dsn({
      status: 'Final-Recipient: rfc822;ada@example.com\nDisposition: manual-action/MDN-sent-manually; displayed',
    }).replace('message/delivery-status', 'message/disposition-notification'),
    'ignored: a read receipt',
  ],
];
for (const [what, mail, expected] of own)
  test(`mail: ${what}`, async () => {
    assert.equal(await summary(mail), expected);
  });
