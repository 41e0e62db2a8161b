// The yardstick of the relay bench, as a process of its own: smtp-server that takes every message and answers 250. No
// accounts, no look at the message, no disk: the library at its best.
import { SMTPServer } from 'smtp-server';

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onAuth: (_auth, _session, callback) => callback(null, { user: true }),
  allowInsecureAuth: true,
  onData(stream, _session, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => callback(null, `Taken, ${Buffer.concat(chunks).length} bytes`));
  },
});
server.on('error', () => undefined);
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('ready'));
