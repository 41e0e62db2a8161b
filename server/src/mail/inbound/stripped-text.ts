/**
 * Where the new words of a reply end and what they answer begins. The text is never changed: both halves together are
 * the text, and a reader who doubts the cut puts them together again.
 */

export interface StrippedText {
  /** The characters in front of the quotation or the signature. */
  chars: number;
  /** From 0 to 1. */
  confidence: number;
}

const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 400;
/** A line that introduces a quotation may be folded over so many. */
const FOLDED_LINES = 3;

/** Verbs of the line in front of a quotation, by language. */
const WROTE =
  /wrote|writes|schrieb|escribió|a écrit|ha scritto|escreveu|schreef|skrev|kirjoitti|napisał(?:\(a\))?|napsal\(a\)|написал(?:\(а\))?|пишет|yazdı|написа|írta|写道|のメール/i;
const ENDS_WITH_WROTE = new RegExp(`(?:${WROTE.source})$`, 'i');
const ORIGINAL =
  /^\s*[-_]{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|исходное сообщение)\s*[-_]{2,}\s*$/i;
const RULE = /^\s*_{20,}\s*$/;
const OUTLOOK_FROM = /^\s*\*?(?:from|von|de|da|van|från|fra|od|от)\s*:\*?\s+\S/i;
const OUTLOOK_NEXT =
  /^\s*\*?(?:sent|date|to|gesendet|datum|an|envoyé|enviado|fecha|para|inviato|data|a|verzonden|aan|skickat|till)\s*:\*?\s+\S/i;
const QUOTED = /^\s{0,3}>/;
const SIGNATURE = /^--\s?$/;

/** `isReply`: the message says that it answers another one. */
export function stripText(text: string, isReply: boolean): StrippedText {
  const lines = linesOf(text);
  const cut = findCut(lines);
  const whole = (confidence: number): StrippedText => ({ chars: text.length, confidence });
  if (cut === undefined) return whole(lines.some(({ text: line }) => QUOTED.test(line)) ? 0.3 : isReply ? 0.6 : 1);
  const chars = text.slice(0, lines[cut.line]?.at ?? 0).trimEnd().length;
  // The answer stands below the quotation, or there is none.
  if (chars === 0) return whole(0.2);
  return { chars, confidence: cut.confidence };
}

interface Line {
  at: number;
  text: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let at = 0;
  while (at < text.length && lines.length < LINES_MAX) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    lines.push({ at, text: text.slice(at, Math.min(end, at + LINE_CHARS_MAX)).replace(/\r$/, '') });
    at = end + 1;
  }
  return lines;
}

function findCut(lines: readonly Line[]): { line: number; confidence: number } | undefined {
  for (const [index, { text }] of lines.entries()) {
    if (ORIGINAL.test(text)) return { line: index, confidence: 0.95 };
    const isRuled = RULE.test(text) && OUTLOOK_FROM.test(lines[index + 1]?.text ?? '');
    if (isRuled || isOutlookHeader(lines, index)) return { line: index, confidence: 0.9 };
    const quote = quoteBehind(lines, index);
    if (quote !== undefined) {
      // Somebody who answers between the lines would lose the answers.
      if (hasWordsBehind(lines, quote)) return undefined;
      return { line: index, confidence: quote === index ? 0.8 : 0.95 };
    }
    if (SIGNATURE.test(text) && index > 0) return { line: index, confidence: 0.85 };
  }
  return undefined;
}

/** Two fields of a header below each other, as Outlook writes them. */
const isOutlookHeader = (lines: readonly Line[], index: number): boolean =>
  OUTLOOK_FROM.test(lines[index]?.text ?? '') &&
  [1, 2].every((below) => OUTLOOK_NEXT.test(lines[index + below]?.text ?? ''));

/** A verb at the end, or with a name and a colon behind it. One expression for both takes its time by the square. */
function introducesQuote(line: string): boolean {
  const words = line.trimEnd();
  return (words.endsWith(':') ? WROTE : ENDS_WITH_WROTE).test(words);
}

/** The line at which a quotation begins that this line introduces, or is itself. */
function quoteBehind(lines: readonly Line[], index: number): number | undefined {
  const { text = '' } = lines[index] ?? {};
  if (QUOTED.test(text)) return index;
  if (text.trim() === '') return undefined;
  for (let more = 0; more < FOLDED_LINES; more += 1) {
    const line = lines[index + more]?.text;
    if (line === undefined || line.trim() === '') return undefined;
    if (!introducesQuote(line)) continue;
    let next = index + more + 1;
    while (lines[next] !== undefined && lines[next]?.text.trim() === '') next += 1;
    return QUOTED.test(lines[next]?.text ?? '') ? next : undefined;
  }
  return undefined;
}

/** Words that are neither quoted nor below a signature, behind the beginning of a quotation. */
function hasWordsBehind(lines: readonly Line[], quote: number): boolean {
  for (const { text } of lines.slice(quote)) {
    if (SIGNATURE.test(text)) return false;
    if (text.trim() !== '' && !QUOTED.test(text)) return true;
  }
  return false;
}
