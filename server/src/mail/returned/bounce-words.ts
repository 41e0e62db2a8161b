/** The words of refusals, and what they are about. Every doubt is asked before the address is blamed. */

/** The subject of a refusal. */
export type BounceCause =
  /** The address or its domain is gone. */
  | 'address'
  /** The mailbox or its server, for the time being. */
  | 'full'
  | 'later'
  /** Only the message: its size, its content, its attachment. */
  | 'too_large'
  | 'content'
  | 'attachment'
  /** Us: reputation, authentication, rate, policy. Greylisting and deferrals have it in common that they pass. */
  | 'sender'
  | 'sender_later'
  | 'unclear';

// Yahoo gives both, and one of them is about us.
const TWO_REASONS = /possible forgery or deactivated/i;
// Steps of the conversation at which no recipient was named, as Exim, Postfix and qmail tell them.
const BEFORE_RECIPIENT =
  /(?:in reply to|after) (?:sending )?(?:mail from|helo|ehlo|lhlo|initial connection|initial greeting|pipelined mail from|auth|starttls)\b|(?:my name|sender) was rejected|greeting failed|while (?:performing|sending) the (?:ehlo|helo|initial)/i;
// The server had taken the recipient: what it refuses now is the message.
const AFTER_MESSAGE =
  /(?:in reply to|after) (?:the )?(?:end of data|end of message|sending data block|pipelined end of data)|failed after i sent the message/i;

const FULL =
  /(?:mail ?box|mail ?folder|inbox|mail ?dir|account|user|storage|bo[iî]te|postfach|speicher\S*|buz[oó]n|casella|caixa|casilla)\b.{0,60}(?:\bfull\b|over ?quota|quota|exceed|[uü]e?berschritten|[uü]e?berf[uü]e?llt|\bvoll\b|pleine|llen[oa]|\bpiena\b|cheia|size limit|storage limit|used up|exhausted)|over ?quota|over (?:the )?(?:allowed |storage |disk )*quota|(?:quota|storage) (?:limit )?(?:is )?(?:full|exceed|violation)|(?:disk|storage|user|mailbox) quota|exhausted (?:his |her |its |the )?(?:allowed )?storage|full mailbox|system full|storage full|file too large|out of (?:storage )?space|(?:insufficient|not enough|no) (?:system |disk |free )?(?:storage|space)|too many messages on the server|trouble in home directory|account storage limit/i;
const OUR_QUOTA = /(?:daily|hourly|sending|message|outbound|sender|your) (?:user |message |sending )*(?:quota|limit)/i;
const TOO_LARGE =
  /message (?:is |was |size )?(?:too (?:big|large|long)|larger than)|(?:exceed(?:s|ed)?|over).{0,40}(?:message )?size|(?:message|mail|email) size|size limit|maximum message|size exceeded|taille limite/i;
const ATTACHMENT = /attachment|executable|file type|blocked extension/i;
const CONTENT =
  /\bvirus|malware|infected|phish|looks like spam|(?:detected|classified|identified|rejected|flagged|considered) as (?:spam|junk|bulk)|(?:message|mail|email|content).{0,30}judged to be spam|spam (?:content|message|score|detected)|suspicion of spam|anti-?spam engine|content (?:rejected|filter|denied|not allowed)|(?:corrupt|invalid|bad) (?:message )?content|(?:not|non)[- ]rfc|(?<!not a valid )rfc ?\d{3,4}|rfc compliant|unsolicited|invalid header|missing a valid message/i;

/** The recipient receives too much: the only rate that is not ours. */
const RECIPIENT_RATE = /receiving (?:mail|messages) (?:at a rate|too)|frequency of receiving|recipient thread limit/i;
const PASSES =
  /gr[ae]y ?list|rate ?limit|throttl|too (?:many|much) (?:messages|connections|recipients|sessions|mail|e-?mail|concurrent|to)|too many .{0,30}(?:from|this hour|to too many)|frequency limited|trop de connexions|sending limit|daily limit|excessive volume|unexpected volume|unusual sending activity|temporarily (?:deferred|blacklisted|blocked)|server busy/i;
/** A mailbox that was shut, though the word is one of block lists. Not when it is ours that was shut. */
const SHUT =
  /(?<!\byour )(?<!\bsender )(?<!\byour e-?mail )\b(?:mail ?box|account|user status|compte du destinataire)(?: (?:is|has been|was|est))? (?:temporarily )?(?:blocked|locked|bloqu[eé]|archiv[eé]e|frozen)(?! (?:from|for) (?:sending|spam))|(?:archived|deactivated|suspended|disabled) (?:recipient|mail ?box|account)/i;
/** Refusals of the recipient with words that elsewhere are about us: an IP address, an authorization, a link. */
const NOT_OF_US =
  /no mailbox associated with this|does(?: not|n['’]t) have an account here|\bRCP-P\d\b|find (?:a|any) mail exchanger|(?:cannot|can['’]t|could not|couldn['’]t) resolve the ip address of the/i;
const SENDER = new RegExp(
  [
    String.raw`spam|\bjunk\b|spamhaus|spamcop|sorbs|barracuda|cloudmark|senderscore|proofpoint\.com|symanteccloud`,
    String.raw`block ?list|black ?list|\bblack ip\b|blocked|bloqu[eé]|\bbanned\b|\b(?:dns|r|p|s|x)bl\b|dnsbl|\bpbl\b|(?<!not )listed (?:at|on|in|by)|in the .{0,20}\blist\b`,
    String.raw`reputation|polic(?:y|ies)|dmarc|\bspf\b|dkim|\bbatv\b|authenticat|authentifi|authori[sz]|backscatter|dns check failed`,
    String.raw`relay(?!=| recipient table)|rcpthosts|access (?:is |was )?(?:denied|denined)|your access|administrative(?!ly disabled)|prohibit|not permitted|not allowed|connection denied|connections? (?:will )?not (?:be )?accepted|not accepting connections|protocol violation`,
    String.raw`\bsenders?\b.{0,12}(?:address|e-?mail|domain|host|ip\b|verif|reject|block|denie|refused|invalid|not|is\b|has\b|frequency|limit|poor)|(?:poor|invalid|fake|bad|forged|blocked|banned|null|unrout\w+|unknown|unverified|unauthenticated|outbound|this|the|envelope|manual(?:ly)? blocked) senders?\b|[eé]metteur|mail from\b|from: |mail from .{0,40}(?:not |reject|refus|denie)|callback setup`,
    String.raw`\bhelo\b|\behlo\b|reverse dns|\brdns\b|\bptr\b|reverse hostname|invalid domain name|\bip address\b|\byour ip\b|\bthis ip\b|\bsending ip\b|\bip[:= ]{1,2}\d|\bip frequency|client host|source ip|messages from \d|mail from \d|from your network`,
    String.raw`envelope (?:blocked|rejected)|\binvalid ip\b|user reject|suspected|suspicious|suspicion|user rules|by (?:the )?recipients?\b|delivery not|weren['’]t sent|message (?:filtered|refused|not allowed)|mail(?: is)? reject|mail rejet|reject all mails?|frequency`,
    String.raw`\((?:RTR|HVU|RLY|CON|DYN|DNS|SPF|CON):|\b(?:SC|OU|DY)-00\d|AUP#|\(BL\)|too many (?:bad|invalid|spam)|domain of sender|bounce attack|tls required|STARTTLS|\bmass mail`,
  ].join('|'),
  'i',
);
const LATER_FOR_SURE =
  /temporar|try again later|again after|please try later|later time|veuillez essayer plus tard|host not found, try again|malformed or unexpected name server reply|servfail|dns (?:query failed|server failure|timeout)|unverified address|message expired|queue\.expired/i;

const WHO = String.raw`(?:users?|recipients?|recipient['’]s|(?<!\bip )addresse?s?|mail[ -]?box(?:es)?|mail ?address|account|addressee|alias|local[ -]?part|e-?mail|customer|utilisateur|destinataire|empf[aä]e?nger|benutzer|usuario|usu[aá]rio|destinat[aá]rio|utente|indirizzo|destin(?:atario)?\.?|gebruiker|postfach|mailadresse|adresse)`;
const IS_GONE = String.raw`(?:unknown|not (?:be )?(?:found|exist|known|available|valid|listed|active|present|recogni[sz]ed|activated|in (?:my|our|the) .{0,20}(?:directory|list|table|database))|(?:does|dos|do|did)(?:es)?(?: not|n['’]t) (?:currently )?exist|not exist|doesn['’]?t have|no longer (?:valid|exist|active|available|on|accept|here|in use)|invalid|unrecogni[sz]ed|(?<!service )(?<!currently )(?<!recipient )unava(?:il|i)able|disabled|inactive|deactivated|suspended|discontinued|terminated|closed|expired|unrout\w+|archived|has moved|(?:couldn['’]t|could not|wasn['’]t|was not|cannot|can['’]t) be found|(?:was|were) unknown|inconnu|invalide|unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert nicht|desconocid|no existe|desconhecid|n[aã]o existe|sconosciut|non esiste|inesistente|errato|nie istnieje|onbekend|bestaat niet)`;
const GONE = [
  new RegExp(String.raw`\b${WHO}(?![a-z]).{0,80}${IS_GONE}`, 'i'),
  new RegExp(
    String.raw`(?:unknown|no ?such|invalid|bad|unrout\w+|unresolvable|non-?existent|not a (?:valid|known)|illegal|inactive|deactivated|expired|unbekannter?|inconnu|onbekende)\b.{0,40}\b${WHO}(?![a-z])`,
    'i',
  ),
  new RegExp(
    [
      String.raw`\bno (?:mail[ -]?box|account|users?|one)\b.{0,12}(?:(?:by|with|under) (?:that|this) name|at this|available|here|found)`,
      String.raw`no one (?:here|at this|by that|with that)|no such (?:id\b|person|recipient|mail ?drop|name|mailing)|handle mail for that user|no valid recipients|not a member of domain|wrong recipients?|> is now disabled|(?:not|n['’]t) (?:a|an) .{0,30}account|not (?:our|a) customer|no such user|is a deactivated|is not a (?:known|valid) |(?:not|n['’]t) an? (?:active|local|known|valid) (?:address|user|recipient|mail ?box)|(?:recipient|user) is not local|can['’]?t accept user|missing home directory|(?:<>|domain|address|mail ?box) not used|(?:account|address|user|mail ?box) (?:was |is |has been )?(?:deleted|removed|cancell?ed)|inactive on this (?:domain|server|system)|does(?: not|n['’]t) exist here|does(?: not|n['’]t) have an? .{0,20}(?:e-?mail|account|mail ?box|delivery point)|list of allowed recipients|never logged on|hasn['’]t entered during|extended inactivity|(?:disabled|deactivated|closed|locked) due to (?:abuse|inactivity)|mail receiving disabled|address does(?: not|n['’]t) receive mail|unavailable mail ?(?:box|user)|exists? that user|\bnot (?:an? )?user (?:of|on|at) this (?:server|host|system|domain)|not in recipient list|inactive mail ?box|e-?mail (?:address )?has changed|not known at this (?:site|address|host)|unable to find .{0,20}(?:alias|user|recipient|mail ?box)|\bno .{1,60} in (?:the )?name directory`,
      String.raw`address (?:couldn['’]t be|could not be|wasn['’]t|was not|not) found|#5\.1\.0 address rejected|recipient name is not recogni[sz]ed|bounced address|(?:rcpt|recipient) (?:to )?.{0,20}(?:not|n['’]t) exist`,
      String.raw`badrcptto|validrcptto|vdeliver\w*: account|no existe (?:dicha|ese)|nessun utente|recipientnotfound|recipnotfound|bad address syntax|this spectator does not exist|unknown or illegal alias|not listed in domino|dd .{0,40}no longer valid`,
      String.raw`пользователь не найден|не существует|nieznany|nie istnieje|nie ma takiego|宛先不明|ユーザー?が?見つかりません|該当.{0,6}アドレス`,
    ].join('|'),
    'i',
  ),
  new RegExp(
    [
      String.raw`(?:host|domain)(?: or domain)?(?: name)?s?\b.{0,40}(?:not found|unknown|does(?: not|n['’]t) exist|invalid|lookup failed|nxdomain|not reachable|no data record|not exist)`,
      String.raw`nxdomain|(?:couldn['’]t|could not|cannot|can['’]t|weren['’]t able to) find (?:any host named|the recipient domain)|no such (?:host|domain)|unrout\w+ (?:mail )?domain`,
      String.raw`null ?mx|\bno mx\b|mx records? (?:found )?point to non-?existent|do(?:es)?(?: not|n['’]t) have mx records|querymx enotfound|illegal (?:host|domain)|no matches to nameserver query|recipient domain must exist|recipient address must contain a domain|no smtp service\b(?!.{0,40}(?:ip|list|bad))|does(?: not|n['’]t) accept (?:any )?mail`,
    ].join('|'),
    'i',
  ),
];
const LATER =
  /timed? ?out|connection (?:refused|reset|lost|dropped)|no route|unreachable|(?:couldn['’]t|could not|cannot|can['’]t|wasn['’]t able to) (?:establish|connect)|try(?: again)? later|retry time|expired|in the queue too long|could not be delivered for \d|hop count|mail loop|loops? back|message is looping|lowest numbered mx|best-preference mx|did not accept our requests|delay/i;

/** In order. The first that fits speaks, so that no person is blamed for what is about us or the message. */
const BY_WORDS: readonly (readonly [RegExp, BounceCause])[] = [
  [TWO_REASONS, 'unclear'],
  [BEFORE_RECIPIENT, 'sender'],
  [RECIPIENT_RATE, 'later'],
  [OUR_QUOTA, 'sender'],
  [FULL, 'full'],
  [TOO_LARGE, 'too_large'],
  [ATTACHMENT, 'attachment'],
  [CONTENT, 'content'],
  [PASSES, 'sender_later'],
  [AFTER_MESSAGE, 'sender'],
  [SHUT, 'address'],
  [NOT_OF_US, 'address'],
  [SENDER, 'sender'],
  [LATER_FOR_SURE, 'later'],
];

const ADDRESS = /<?[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}>?/gi;
const URL = /https?:\/\/\S+/gi;

/** Undefined when the words say nothing that is known. */
export function causeInWords(said: string): BounceCause | undefined {
  // Addresses have words in them that nobody said: user@nospam.example.
  const text = said.replace(ADDRESS, '<>').replaceAll('_', ' ');
  const found = BY_WORDS.find(([words]) => words.test(text));
  if (found !== undefined) return found[1];
  const withoutLinks = text.replace(URL, ' ');
  if (GONE.some((words) => words.test(withoutLinks))) return 'address';
  return LATER.test(withoutLinks) ? 'later' : undefined;
}
