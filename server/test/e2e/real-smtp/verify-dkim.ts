import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** mailauth, asked about one message with this record in place of DNS. */
export async function verifiesWithMailauth(mime: Buffer, name: string, record: string): Promise<boolean> {
  const { results } = await dkimVerify(mime, {
    resolver: async (asked: string) => {
      assert.equal(asked, name);
      return [[record]];
    },
  });
  return results.length === 1 && results[0]?.status.result === 'pass';
}

const SCRIPT = `
import sys, json, base64, dkim
given = json.load(sys.stdin)
def dns(name, **_):
    assert name.decode().rstrip('.') == given['name'], name
    return given['record'].encode()
json.dump([dkim.verify(base64.b64decode(raw), dnsfunc=dns) for raw in given['messages']], sys.stdout)
`;

/** dkimpy, of the Debian package python3-dkim. The system's own python3: others do not see its packages. */
export function verifyWithDkimpy(messages: readonly Buffer[], name: string, record: string): boolean[] {
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', ['-c', SCRIPT], {
    input: JSON.stringify({ name, record, messages: messages.map((mime) => mime.toString('base64')) }),
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString()) as boolean[]; // by the script above
}
