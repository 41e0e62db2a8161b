/**
 * The reply to the other side instead of 250. The text goes over the wire and says nothing that is not its business.
 */
export class SmtpReply extends Error {
  override readonly name = 'SmtpReply';
  /** RFC 5321 §4.2.3; the enhanced status (RFC 2034) is made from it. */
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}
