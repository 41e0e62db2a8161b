import { chooseWorkspace } from './active-workspace.ts';
import { signIn, verifyTwoFactor } from './generated/sdk.gen.ts';

/** The session is a cookie that no script can read. The workspace of whoever was here before is not asked for. */
const headers = { 'X-Posthorn-Session': 'cookie', 'X-Workspace-ID': '' } as const;

/** The password was right, and the account has two-factor sign-in: a code finishes the sign-in. */
export interface CodeStep {
  challenge: string;
  /** How long the server takes a code, by its own clock: that of the browser may be wrong. */
  lastsMs: number;
}

/** Signs this browser in. Answers undefined when it is done. */
export async function signInWithCookie(given: { email: string; password: string }): Promise<CodeStep | undefined> {
  const { data, response } = await signIn({ body: given, headers, throwOnError: true });
  if ('two_factor_required' in data) {
    const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
    return { challenge: data.challenge, lastsMs: Date.parse(data.expires_at) - now };
  }
  chooseWorkspace(undefined);
  return undefined;
}

export async function finishSignIn(given: { challenge: string; code: string }): Promise<void> {
  await verifyTwoFactor({ body: given, headers, throwOnError: true });
  chooseWorkspace(undefined);
}
