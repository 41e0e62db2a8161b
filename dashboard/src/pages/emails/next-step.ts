/** The API names its own calls as the next step; the page has a button for each of these. */
const CALLS: readonly [RegExp, string][] = [
  [/POST \/v1\/emails\/:id\/resend sends it again/g, '“Send again” sends it again'],
  [/then POST \/v1\/emails\/:id\/resend/g, 'then use “Send again”'],
  [/Try again later: POST \/v1\/emails\/:id\/resend/g, 'Try again later with “Send again”'],
  [/POST \/v1\/emails\/:id\/send-again \(may arrive twice\)/g, '“Send again” (may arrive twice)'],
  [/POST \/v1\/emails\/:id\/treat-as-sent/g, '“Treat as sent”'],
  [/DELETE \/v1\/send\/:jobId stops it/g, '“Cancel the rest” on the page of its send stops it'],
  [/GET \/v1\/queue says how long the queue is/g, 'the overview says how long the queue is'],
];

export const inWordsOfThePage = (nextStep: string): string =>
  CALLS.reduce((text, [call, words]) => text.replace(call, words), nextStep);
