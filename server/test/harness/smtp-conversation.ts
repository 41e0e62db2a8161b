import type { Socket } from 'node:net';

/** One side of a conversation in SMTP, line by line. */
export interface SmtpConversation {
  socket: Socket;
  /** Sends, and resolves with the next whole reply; an empty text when the other side has gone. */
  say(line: string | Buffer): Promise<string>;
  reply(): Promise<string>;
}

export function converse(socket: Socket): SmtpConversation {
  let text = '';
  let gone = false;
  let wake = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('close', () => {
    gone = true;
    wake();
  });
  socket.on('error', () => undefined);
  const reply = async (): Promise<string> => {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text)?.[0];
      if (whole !== undefined) {
        text = text.slice(whole.length);
        return whole.trimEnd();
      }
      if (gone) return '';
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    reply,
    say(line) {
      socket.write(typeof line === 'string' ? `${line}\r\n` : line);
      return reply();
    },
  };
}
