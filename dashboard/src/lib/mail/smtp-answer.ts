/** The answer of a mail server without the type of RFC 3464 before it: `smtp; 550 5.1.1 user unknown`. */
export const answerWords = (answer: string | null): string | null =>
  answer === null ? null : answer.replace(/^\s*(?:smtp|x-[\w-]+)\s*;\s*/i, '');
