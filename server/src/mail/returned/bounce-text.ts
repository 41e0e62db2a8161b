/**
 * Bounce messages for people only, as qmail and servers of its age write them. Each is recognised by its beginning; a
 * message that begins in no such way is no bounce, and answers of people and their holiday notices are none.
 */
export interface BounceText {
  action: 'failed' | 'delayed';
  /** Addresses it names before it begins to quote, in lower case; possibly none. */
  addresses: string[];
  /** The text before it begins to quote. */
  said: string;
}

const OPENINGS: readonly RegExp[] = [
  /^\s*hi\. (?:this is the|the message that you sent)/i, // qmail, and its relatives
  /this message was created automatically by (?:the )?mail delivery (?:software|system)/i, // Exim
  /could not deliver (?:your )?message to the following|unable to deliver (?:your |this )?(?:message|email|mail)/i, // Yahoo, old Gmail
  /delivery to the following recipients?(?:\(s\))? (?:has |have )?(?:been )?failed|delivery (?:has )?failed/i,
  /\*\* (?:address not found|message not delivered|message blocked|delivery incomplete|recipient inbox full) \*\*/i, // Gmail
  /the following addresses had (?:permanent|transient|delivery)/i, // Sendmail 8 without a report
  /did not reach (?:some or all of )?the (?:intended|following) recipient/i, // Exchange 5.5 to 2003
  /(?:your )?message (?:to .{1,320} |that you sent )?(?:couldn['’]t|could not|can(?:no|['’])t|was not able to|wasn['’]t|was not) be(?:en)? delivered/i,
  /i['’]?m sorry to (?:have to )?inform you that (?:your|the) message/i, // Postfix without a report
  /each of the following recipients was rejected by a remote mail server/i, // Japanese carriers
  /was undeliverable|undeliverable to the following|undelivered mail returned|returned mail:|message undeliverable/i,
  /(?:konnte|konnten) nicht (?:zugestellt|ausgeliefert) werden|nachricht wurde nicht zugestellt/i,
  /n['’]a (?:pas )?pu être (?:remis|livré|distribué)|n['’]a pas été remis/i,
  /no (?:se )?(?:pudo|ha podido) (?:ser )?(?:entreg)/i,
  /(?:your|the|this) (?:e-?mail|message|mail).{0,80}(?:could not|couldn['’]t|cannot|was not|has not been) (?:be )?(?:delivered|sent)|(?:problem|error) (?:occurred )?(?:while )?delivering (?:your|the) (?:message|mail)/i,
  /(?:there was a problem delivering|we (?:were unable|weren['’]t able|couldn['’]t) (?:to )?deliver)|rejected your message to the following/i, // iCloud, Exchange Online
];
/** Of a server, whoever made it: with one of these a status or an SMTP code in the text is a refusal. */
const FAILURE_SUBJECT =
  /undeliver|delivery (?:status notification|failure|failed|has failed|problem|error|report)|failure notice|returned mail|mail (?:system error|delivery)|non-?delivery|not delivered|could not be delivered|unzustellbar|non remis|[eé]chec|no (?:se )?(?:ha )?(?:podido|pudo) entreg|mancat[ao] (?:consegna|recapito)|n[aã]o entregue|не доставлен|недоставлен|配信|エラー|退信/i;
const REFUSAL = /(?:^|[\s:;#(<"'])(?:[45]\d\d[ -]|[45]\.\d{1,3}\.\d{1,3}(?!\d|\.\d))/;
const DELAYED =
  /has not (?:yet )?been delivered|(?:is|has been|was) delayed|delivery (?:attempts? )?(?:is|has been|was|will be) (?:delayed|retried)|delivery incomplete|(?:warning|could not send message) (?:message )?(?:still undelivered|for (?:the )?past)|this is a warning (?:message )?only|you do not need to (?:resend|take any action)|transient non-fatal/i;
const GIVEN_UP =
  /permanent|giving up|given up|gave up|i'm not going to try again|returned to (?:the )?sender|undeliverable/i;
/** From here on it quotes what we sent, and what that says is not what the server says. */
const QUOTE =
  /^(?:-{2,}|={3,}|>{3,}).{0,60}(?:below this line|copy of (?:the|your|my)|original (?:message|mail)|returned message|message (?:header|text|follows)|unsent message|forwarded message|header of)|^(?:return-path|received|message-id): /im;

// Of one report: with it, nothing more is learnt from reading on.
const SAID_CHARS_MAX = 8_000;
const OPENING_CHARS = 2_000;
const ADDRESSES_MAX = 50;
const ADDRESS = /[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi;

export interface BounceTextGiven {
  subject: string;
  /** As decoded. */
  text: string;
  /** Of X-Failed-Recipients. */
  failedRecipients: readonly string[];
  /** From a mail server by its own account: MAILER-DAEMON, postmaster. */
  isFromServer: boolean;
}

/** Null when this is no bounce that we know. Never throws. */
export function readBounceText({ subject, text, failedRecipients, isFromServer }: BounceTextGiven): BounceText | null {
  const said = beforeQuote(text);
  const opening = `${said.slice(0, OPENING_CHARS)}\n${subject.slice(0, 200)}`.replace(/\s+/g, ' ');
  const known =
    failedRecipients.length > 0 ||
    OPENINGS.some((pattern) => pattern.test(opening)) ||
    (isFromServer && (FAILURE_SUBJECT.test(subject.slice(0, 200)) || REFUSAL.test(said)));
  const delayed = DELAYED.test(opening) && !GIVEN_UP.test(opening.replace(DELAYED, ''));
  if (!known && !delayed) return null;
  const named = failedRecipients.length > 0 ? failedRecipients : (said.match(ADDRESS) ?? []);
  const addresses = [...new Set(named.map((one) => one.toLowerCase()))].slice(0, ADDRESSES_MAX);
  return { action: delayed ? 'delayed' : 'failed', addresses, said };
}

/** The words of a server for people, before it begins to quote. */
export function beforeQuote(text: string): string {
  const start = text.slice(0, SAID_CHARS_MAX);
  return start.slice(0, QUOTE.exec(start)?.index ?? start.length);
}
