import type { Socket } from 'node:net';
import type { FaultAct, FaultPoint } from './smtp-faults.ts';

export interface SinkMessage {
  /** When its last byte arrived: milliseconds since the epoch, with fractions, and on the monotonic clock. */
  at: number;
  monotonicMs: number;
  /** When its MAIL FROM arrived, on the monotonic clock. */
  begunMs: number;
  /** Which connection it came over, counted from 1. */
  connection: number;
  from: string;
  to: string[];
  /** As sent, dots unstuffed. Empty when `keepBytes` is false. */
  mime: Buffer;
  size: number;
  /** Header values by lower-case name, unfolded; of a repeated header the first. */
  header(name: string): string | undefined;
}

/** How the server talks. */
export interface SinkManners {
  /** Keep the bytes of the messages; true when left out. */
  keepBytes?: boolean;
  /** Extensions announced besides PIPELINING, 8BITMIME and SIZE; `no-pipelining` and `no-8bitmime` take one away. */
  extensions?: string[];
  sizeMax?: number;
  /** Accepts this user and password by AUTH PLAIN and refuses mail without them. */
  auth?: { user: string; pass: string };
}

interface ConnectionContext {
  options: SinkManners;
  number: number;
  full: boolean;
  take(message: SinkMessage): void;
  heard(line: string): void;
  choose(at: FaultPoint, address?: string): FaultAct | undefined;
}

const END = Buffer.from('\r\n.\r\n');

/** One client's dialogue. Commands are worked off one after the other, so a slow answer holds back the next. */
export class SinkConnection {
  readonly #socket: Socket;
  readonly #context: ConnectionContext;
  #pending: Buffer = Buffer.alloc(0);
  #replies: string[] = [];
  #inBody = false;
  #bodyBegun = false;
  #busy = false;
  #mute = false;
  #authenticated: boolean;
  #from: string | undefined;
  #begunMs = 0;
  #to: string[] = [];

  constructor(socket: Socket, context: ConnectionContext) {
    this.#socket = socket;
    this.#context = context;
    this.#authenticated = context.options.auth === undefined;
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // the client went away: that is its good right
    socket.on('data', (chunk) => {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      void this.#work();
    });
    if (context.full) this.#hangUp('421 4.7.0 too many connections');
    else void this.#greet();
  }

  async #greet(): Promise<void> {
    this.#busy = true;
    if (!(await this.#misbehaves('connect'))) this.#reply('220 sink ESMTP');
    this.#busy = false;
    await this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (!this.#mute && (this.#inBody ? await this.#readBody() : await this.#readCommand()));
    this.#flush();
    this.#busy = false;
  }

  async #readCommand(): Promise<boolean> {
    const end = this.#pending.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.#pending.toString('latin1', 0, end);
    this.#pending = this.#pending.subarray(end + 2);
    this.#context.heard(line);
    await this.#command(line);
    return true;
  }

  async #command(line: string): Promise<void> {
    const verb = line.slice(0, 4).toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (verb) {
      case 'EHLO':
        if (!(await this.#misbehaves('ehlo'))) this.#reply(this.#ehlo());
        return;
      case 'HELO':
        return this.#reply('250 sink');
      case 'AUTH':
        if (!(await this.#misbehaves('auth'))) this.#reply(this.#signIn(line.slice('AUTH PLAIN '.length)));
        return;
      case 'MAIL':
        if (await this.#misbehaves('mail', address)) return;
        if (!this.#authenticated) return this.#reply('530 5.7.0 Authentication required');
        if (this.#from !== undefined) return this.#reply('503 5.5.1 nested MAIL command');
        this.#from = address;
        this.#begunMs = performance.now();
        return this.#reply('250 2.1.0 Ok');
      case 'RCPT':
        if (await this.#misbehaves('rcpt', address)) return;
        if (this.#from === undefined) return this.#reply('503 5.5.1 need MAIL command');
        this.#to.push(address);
        return this.#reply('250 2.1.5 Ok');
      case 'DATA':
        if (await this.#misbehaves('data')) return;
        if (this.#to.length === 0) return this.#reply('554 5.5.1 no valid recipients');
        this.#inBody = true;
        this.#bodyBegun = false;
        return this.#reply('354 End data with <CR><LF>.<CR><LF>');
      case 'RSET':
        this.#clear();
        return this.#reply('250 2.0.0 Ok');
      case 'NOOP':
        return this.#reply('250 2.0.0 Ok');
      case 'QUIT':
        return this.#hangUp('221 2.0.0 Bye');
      default:
        return this.#reply('502 5.5.2 command not recognized');
    }
  }

  async #readBody(): Promise<boolean> {
    if (this.#pending.length === 0) return false;
    if (!this.#bodyBegun) {
      this.#bodyBegun = true;
      if (await this.#misbehaves('body')) return false;
    }
    const end = this.#pending.indexOf(END);
    if (end < 0) return false;
    const raw = this.#pending.subarray(0, end + 2);
    this.#pending = this.#pending.subarray(end + END.length);
    this.#inBody = false;
    await this.#dot(raw);
    this.#clear();
    return true;
  }

  async #dot(raw: Buffer): Promise<void> {
    const at = performance.timeOrigin + performance.now();
    const monotonicMs = performance.now();
    const fault = this.#context.choose('dot');
    if (fault?.act === 'slow') await wait(fault.ms);
    else if (fault?.act === 'hold') await fault.until;
    else if (fault?.act === 'take-and-drop' || fault?.act === 'take-and-hang') this.#record(raw, at, monotonicMs);
    else if (fault !== undefined) return this.#act(fault);
    if (fault?.act === 'take-and-drop') return this.#drop();
    if (fault?.act === 'take-and-hang') return this.#silence();
    try {
      this.#record(raw, at, monotonicMs);
      this.#reply('250 2.0.0 Ok: queued as SINK');
    } catch {
      this.#reply('451 4.3.0 could not be recorded');
    }
  }

  #record(raw: Buffer, at: number, monotonicMs: number): void {
    const mime = unstuff(raw);
    const kept = this.#context.options.keepBytes === false ? Buffer.alloc(0) : Buffer.from(mime);
    this.#context.take({
      at,
      monotonicMs,
      begunMs: this.#begunMs,
      connection: this.#context.number,
      from: this.#from ?? '',
      to: this.#to,
      mime: kept,
      size: mime.length,
      header: (name) => headerOf(kept.length > 0 ? kept : mime, name),
    });
  }

  /** True when the fault took the place of the usual answer. */
  async #misbehaves(at: FaultPoint, address?: string): Promise<boolean> {
    const fault = this.#context.choose(at, address);
    if (fault === undefined) return false;
    if (fault.act !== 'slow' && fault.act !== 'hold') {
      this.#act(fault);
      return true;
    }
    this.#flush();
    await (fault.act === 'slow' ? wait(fault.ms) : fault.until);
    return false;
  }

  #act(fault: FaultAct): void {
    if (fault.act === 'reply') {
      if (fault.reply.startsWith('421')) this.#hangUp(fault.reply);
      else this.#reply(fault.reply);
    } else if (fault.act === 'hang') this.#silence();
    else this.#drop();
  }

  #reply(text: string): void {
    this.#replies.push(text, '\r\n');
    if (!this.#busy) this.#flush();
  }

  /** Answers of one batch leave together, as PIPELINING wants it. */
  #flush(): void {
    if (this.#replies.length === 0 || this.#socket.destroyed) return;
    this.#socket.write(this.#replies.join(''));
    this.#replies = [];
  }

  #hangUp(text: string): void {
    this.#mute = true;
    this.#reply(text);
    this.#flush();
    this.#socket.end();
  }

  #silence(): void {
    this.#flush();
    this.#mute = true;
  }

  #drop(): void {
    this.#flush();
    this.#mute = true;
    this.#socket.destroySoon();
  }

  #clear(): void {
    this.#from = undefined;
    this.#to = [];
  }

  #ehlo(): string {
    const { extensions = [], sizeMax, auth } = this.#context.options;
    const lines = ['sink', `SIZE ${sizeMax ?? 0}`, ...extensions];
    if (!extensions.includes('no-8bitmime')) lines.push('8BITMIME');
    if (!extensions.includes('no-pipelining')) lines.push('PIPELINING');
    if (auth !== undefined) lines.push('AUTH PLAIN');
    return lines.map((line, index) => `250${index === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
  }

  #signIn(given: string): string {
    const [, user, pass] = Buffer.from(given, 'base64').toString().split('\0');
    const { auth } = this.#context.options;
    if (auth === undefined || user !== auth.user || pass !== auth.pass)
      return '535 5.7.8 Authentication credentials invalid';
    this.#authenticated = true;
    return '235 2.7.0 Authentication successful';
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function unstuff(raw: Buffer): Buffer {
  if (raw[0] !== 0x2e && raw.indexOf('\r\n.') < 0) return raw;
  return Buffer.from(raw.toString('latin1').replace(/(^|\r\n)\./g, '$1'), 'latin1');
}

function headerOf(mime: Buffer, name: string): string | undefined {
  const end = mime.indexOf('\r\n\r\n');
  const head = mime.toString('utf8', 0, end < 0 ? mime.length : end).replace(/\r\n[ \t]+/g, ' ');
  const prefix = `${name.toLowerCase()}:`;
  const line = head.split('\r\n').find((candidate) => candidate.toLowerCase().startsWith(prefix));
  return line?.slice(prefix.length).trim();
}
