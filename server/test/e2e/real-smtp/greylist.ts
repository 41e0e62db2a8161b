import { once } from 'node:events';
import { createServer } from 'node:net';

/** Postfix's policy protocol (SMTPD_POLICY_README): defers `slow…` addresses the first time it is asked about each. */
export async function startGreylist(): Promise<{ port: number; asked: string[]; stop(): Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('error', () => undefined); // Postfix closes when it stops
    socket.on('data', (part: string) => {
      text += part;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const recipient = /^recipient=(.*)$/m.exec(text.slice(0, end))?.[1] ?? '';
        text = text.slice(end + 2);
        const grey = recipient.startsWith('slow') && !asked.includes(recipient);
        asked.push(recipient);
        socket.write(`action=${grey ? '450 4.2.0 Greylisted, come back later' : 'DUNNO'}\n\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
