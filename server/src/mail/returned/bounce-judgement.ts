/**
 * What a refusal means for the address, in the words of Amazon SES. The status speaks first (RFC 3463), the text of the
 * receiving server second, and only where the status says nothing. Where both leave doubt it is the address that gets
 * the benefit of it: `Permanent` ends mail to a person, so only what is about the mailbox or its domain is called that.
 */
export interface BounceJudgement {
  bounceType: 'Permanent' | 'Transient' | 'Undetermined';
  bounceSubType:
    | 'General'
    | 'MailboxFull'
    | 'MessageTooLarge'
    | 'ContentRejected'
    | 'AttachmentRejected'
    | 'Undetermined';
}

const GONE: BounceJudgement = { bounceType: 'Permanent', bounceSubType: 'General' };
const LATER: BounceJudgement = { bounceType: 'Transient', bounceSubType: 'General' };
// Also when the server says 5.2.2: people empty their mailboxes, and one whom nobody empties is found by repetition.
const FULL: BounceJudgement = { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
const TOO_LARGE: BounceJudgement = { bounceType: 'Transient', bounceSubType: 'MessageTooLarge' };
const CONTENT: BounceJudgement = { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
const ATTACHMENT: BounceJudgement = { bounceType: 'Transient', bounceSubType: 'AttachmentRejected' };
const UNCLEAR: BounceJudgement = { bounceType: 'Undetermined', bounceSubType: 'Undetermined' };

/** Status details that mean one thing wherever they come from; the classes 4 and 5 have them in common. */
const BY_DETAIL: Readonly<Record<string, BounceJudgement>> = {
  '1.1': GONE,
  '1.2': GONE,
  '1.3': GONE,
  '1.4': GONE,
  '1.5': GONE,
  '1.6': GONE,
  // About the sender's address or system, not the recipient's.
  '1.7': UNCLEAR,
  '1.8': UNCLEAR,
  '1.9': UNCLEAR,
  // The domain says that it takes no mail (RFC 7505).
  '1.10': GONE,
  '2.2': FULL,
  '2.3': TOO_LARGE,
  '2.4': LATER,
  '3.1': LATER,
  '3.2': LATER,
  '3.3': LATER,
  '3.4': TOO_LARGE,
  '3.5': LATER,
  '4.2': LATER,
  '4.3': LATER,
  '4.4': GONE,
  '4.5': LATER,
  '4.6': LATER,
  '4.7': LATER,
  '4.8': LATER,
  // Exchange Online: the domain does not exist.
  '4.310': GONE,
};

/** Details that servers also use for other reasons: what their text says is believed, else this. */
const BY_DETAIL_UNLESS_SAID: Readonly<Record<string, BounceJudgement>> = { '1.0': GONE, '2.1': GONE, '4.1': LATER };

/** In order: what is about the message or about us is looked for first, so that no person is blamed for it. */
const BY_WORDS: readonly (readonly [RegExp, BounceJudgement])[] = [
  [
    /message (?:is |was |size )?(?:too (?:big|large|long)|larger than)|(?:exceed(?:s|ed)?|over).{0,40}(?:message )?size|size limit|maximum message/i,
    TOO_LARGE,
  ],
  [/attachment|executable|file type|blocked extension/i, ATTACHMENT],
  [
    /\bvirus|malware|infected|phish|looks like spam|(?:detected|classified|identified|rejected|flagged) as (?:spam|junk|bulk)|spam (?:content|message|score)|content (?:rejected|filter|denied)|unsolicited/i,
    CONTENT,
  ],
  [
    /gr[ae]y ?list|rate limit|throttl|too many (?:messages|connections|recipients)|receiving mail (?:at a rate|too)/i,
    LATER,
  ],
  [
    /\bspam\b|spamhaus|spamcop|barracuda|block ?list|black ?list|\bblocked\b|\b(?:dns|r)bl\b|reputation|polic(?:y|ies)|dmarc|\bspf\b|dkim|relay(?:ing)? (?:access )?denied|(?:unable|not permitted) to relay|authenticat|not authorized|sender (?:address )?(?:rejected|verif)/i,
    UNCLEAR,
  ],
  [
    /(?:mail ?box|inbox|account|user|quota|storage|bo[iî]te|postfach|buz[oó]n).{0,60}(?:full\b|over ?quota|exceed|[uü]berf[uü]llt|pleine|llen[oa])|over ?quota|quota (?:is )?(?:full|exceed)|out of (?:storage )?space|insufficient (?:system )?storage/i,
    FULL,
  ],
  [
    /(?:user|recipient|address|mail ?box|account|addressee|alias|destinataire|empf[aä]nger|usuario)\b.{0,80}(?:unknown|not (?:found|exist|known|available|valid|listed|active)|(?:does|do|did)(?: not|n't|n’t) exist|doesn['’]?t have|invalid|unavailable|disabled|inactive|deactivated|suspended|discontinued|terminated|closed|unrouteable|rejected|(?:couldn['’]t|could not|wasn['’]t|was not) be found|inconnu|unbekannt|desconocid)/i,
    GONE,
  ],
  [
    /(?:unknown|no such|invalid|bad|unrouteable|non-?existent|not a (?:valid|known)|unbekannter?|inconnu)\b.{0,40}(?:user|recipient|address|mail ?box|account|person|destination|empf[aä]nger|benutzer)|no (?:mail ?box|account|user|one) (?:here )?(?:by|with|under) (?:that|this) name|isn['’]t a .{0,30}account|not our customer|address (?:couldn['’]t be|could not be|wasn['’]t|was not|not) found/i,
    GONE,
  ],
  [
    /(?:host|domain)(?: name)?\b.{0,40}(?:not found|unknown|does(?: not|n['’]t) exist|invalid|lookup failed|nxdomain)|(?:couldn['’]t|could not|cannot|can['’]t) find any host named|no such (?:host|domain)|unrouteable (?:mail )?domain|null ?mx|does not accept mail/i,
    GONE,
  ],
  [
    /timed? ?out|connection (?:refused|reset|lost|dropped)|no route|unreachable|(?:couldn['’]t|could not|cannot|can['’]t|wasn['’]t able to) (?:establish|connect)|try(?: again)? later|temporar|retry time|expired|in the queue too long|hop count|mail loop|loops? back|delay/i,
    LATER,
  ],
];

const STATUS = /^([245])\.(\d{1,3})\.(\d{1,3})$/;
// After an SMTP code, a # or a bracket, or at the beginning: elsewhere such digits are versions and IP addresses.
const STATUS_IN_TEXT = /(?:\b[45]\d\d[ -]|[#([]|;|^)\s{0,3}([45]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/;
const CODE_IN_TEXT = /(?:^|[\s;:(<"'])([45])\d\d(?=[ \-#:])/;
// A server's answer is a line or two; the rest is what it quotes.
const CHARS_MAX = 4_000;

/**
 * Judges one refusal. `status` as in `5.1.1`, `diagnostic` as the receiving server put it; null when not known. A
 * status that cannot be one (`9.9.9`) makes the whole report doubtful, and its text is not asked.
 */
export function judgeBounce(status: string | null, diagnostic: string | null): BounceJudgement {
  const said = (diagnostic ?? '').slice(0, CHARS_MAX);
  if (status === null) return judgeText(said);
  const [, kind = '', subject = '', detail = ''] = STATUS.exec(status) ?? [];
  if (kind === '' || kind === '2') return UNCLEAR;
  return ofClass(kind, byStatus(`${Number(subject)}.${Number(detail)}`, said) ?? judgeText(said));
}

/** Undefined when this status says nothing. */
function byStatus(detail: string, said: string): BounceJudgement | undefined {
  if (detail.startsWith('6.')) return wordsOf(said) === ATTACHMENT ? ATTACHMENT : CONTENT;
  if (detail.startsWith('7.')) {
    // Security and policy (RFC 3463 §3.8): about us or the message, whatever is said of a person besides.
    const words = wordsOf(said);
    return words === CONTENT || words === ATTACHMENT || words === LATER ? words : UNCLEAR;
  }
  const unlessSaid = BY_DETAIL_UNLESS_SAID[detail];
  return BY_DETAIL[detail] ?? (unlessSaid === undefined ? undefined : (wordsOf(said) ?? unlessSaid));
}

function judgeText(said: string): BounceJudgement {
  const status = STATUS_IN_TEXT.exec(said)?.[1] ?? '';
  const [, kind = '', subject = '', detail = ''] = STATUS.exec(status) ?? [];
  const byIts = kind === '' ? undefined : byStatus(`${Number(subject)}.${Number(detail)}`, said);
  const itsClass = kind === '' ? CODE_IN_TEXT.exec(said)?.[1] : kind;
  return ofClass(itsClass, byIts ?? wordsOf(said) ?? UNCLEAR);
}

const wordsOf = (said: string): BounceJudgement | undefined => BY_WORDS.find(([words]) => words.test(said))?.[1];

/** A server that says 4 has not refused for good, whatever it calls the reason. */
const ofClass = (kind: string | undefined, judged: BounceJudgement): BounceJudgement =>
  kind === '4' && (judged === GONE || judged === UNCLEAR) ? LATER : judged;
