/** Answers in the wire format of Amazon SES. */
export interface WireAnswer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

export const json = (body: object): WireAnswer => ({ status: 200, body: JSON.stringify(body), headers: {} });

export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): WireAnswer => ({ status, body: JSON.stringify({ message }), headers: { 'x-amzn-errortype': code, ...headers } });
