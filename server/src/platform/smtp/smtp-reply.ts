/**
 * The reply to the other side instead of 250. The text goes over the wire and says nothing that is not its business.
 */
export class SmtpReply extends Error {
  override readonly name = 'SmtpReply';
  /** RFC 5321 §4.2.3. */
  readonly responseCode: number;
  /** The enhanced status (RFC 3463), such as `5.7.1`; undefined: the usual one of the code. */
  readonly status: string | undefined;
  constructor(responseCode: number, message: string, status?: string) {
    super(message);
    this.responseCode = responseCode;
    this.status = status;
  }
}
