/** `ada@example.com` as `a•••@example.com`: the link may have been forwarded to somebody else. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at < 1 ? '•••' : `${first}•••${email.slice(at)}`;
}
