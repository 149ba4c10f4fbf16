import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Happening, HistoryEntry } from './history.ts';
import { type FromBot, readLines, type WireCall, type WireEvent, writeLine } from './wire.ts';

const REDELIVERY_MS = 50;
const PING_MS = 50;

/** What somebody may want to interfere with. `false`: it does not come about, and nobody gets an answer. */
export type Moment = 'connect' | 'ack' | 'react' | 'post' | 'posted';
export type OnMoment = (moment: Moment) => boolean;

export interface Words {
  readonly number: string;
  readonly chat: string;
  readonly isGroup: boolean;
  readonly sender: string;
  readonly body: string;
}

/**
 * A platform that outlives the bot. It delivers an event until it has been acknowledged, again after every
 * connect, and takes a message with a known nonce once. It writes down all that happens to it.
 */
export class FakePlatform {
  readonly history: HistoryEntry[] = [];
  readonly #server = createServer((socket) => this.#welcome(socket));
  readonly #onMoment: OnMoment;
  readonly #events = new Map<string, WireEvent>();
  readonly #open = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #posts = new Map<string, string>();
  readonly #startedMs = performance.now();
  #socket: Socket | undefined;
  #quietBeats = 0;

  constructor(onMoment: OnMoment = () => true) {
    this.#onMoment = onMoment;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  /** Every event has been acknowledged. */
  get isServed(): boolean {
    return this.#open.size === 0;
  }

  /**
   * So often did the bot answer a ping since anything happened here; one takes 50 ms and more. Unlike a clock
   * it stands still while the bot cannot get on, be it for a slow machine.
   */
  get quietBeats(): number {
    return this.#quietBeats;
  }

  /** Something happened elsewhere that the bot is about to react to. */
  stir(): void {
    this.#quietBeats = 0;
  }

  note(happening: Happening): void {
    this.stir();
    this.history.push({ ...happening, atMs: Math.round(performance.now() - this.#startedMs) });
  }

  say({ number, chat, isGroup, sender, body }: Words): void {
    const [event, message] = [`event-${number}`, `message-${number}`];
    this.note({ type: 'sent', event, message, chat, sender, body });
    const at = new Date().toISOString();
    this.#add({ op: 'message', event, message, chat, isGroup, sender, body, at });
  }

  /** Without a new body, it is deleted. */
  change(number: string, body?: string): void {
    const original = this.#events.get(`event-${number}`);
    if (!original) return;
    const { message, chat } = original;
    const change = { event: `change-${number}`, message, ...(body === undefined ? {} : { body }) };
    this.note({ type: 'changed', ...change });
    this.#add({ op: 'change', chat, ...change });
  }

  /** Delivers an event once more although the bot took it. What it refused, it may judge anew: not that. */
  repeat(number: string): void {
    const event = this.#events.get(`event-${number}`);
    if (event && this.#taken.has(event.event)) this.#deliver(event, true);
  }

  #add(event: WireEvent): void {
    this.#events.set(event.event, event);
    this.#open.add(event.event);
    if (this.#socket) this.#deliver(event, false);
  }

  #deliver(event: WireEvent, isRepeated: boolean): void {
    if (!this.#socket) return;
    this.note({ type: 'delivered', event: event.event, isRepeated });
    writeLine(this.#socket, event);
  }

  #welcome(socket: Socket): void {
    // The other end dies without a word.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    readLines<FromBot>(socket, (message) => this.#hear(socket, message));
  }

  #hear(socket: Socket, said: FromBot): void {
    switch (said.op) {
      case 'hello':
        this.#socket = socket;
        if (!this.#onMoment('connect')) return;
        for (const id of this.#open) {
          const event = this.#events.get(id);
          if (event) this.#deliver(event, false);
        }
        writeLine(socket, { op: 'ping' });
        return;
      case 'pong':
        this.#quietBeats += 1;
        setTimeout(() => writeLine(socket, { op: 'ping' }), PING_MS).unref();
        return;
      case 'ack': {
        const { event, outcome, reason } = said;
        if (!this.#onMoment('ack')) return;
        this.#open.delete(event);
        if (outcome !== 'dropped') this.#taken.add(event);
        this.note({ type: 'acknowledged', event, outcome, ...(reason === undefined ? {} : { reason }) });
        return;
      }
      case 'not-taken': {
        const { event, error } = said;
        this.note({ type: 'not taken', event, error });
        const known = this.#events.get(event);
        setTimeout(() => known && this.#open.has(event) && this.#deliver(known, true), REDELIVERY_MS).unref();
        return;
      }
      case 'call': {
        const id = this.#serve(said.what);
        if (id !== undefined) writeLine(socket, { op: 'result', call: said.call, id });
      }
    }
  }

  /** Undefined where the call stays without an answer. */
  #serve(call: WireCall): string | undefined {
    if (call.op === 'post') return this.#post(call);
    if (call.op === 'typing') {
      this.note({ type: 'typing', chat: call.chat });
      return '';
    }
    if (!this.#onMoment('react')) return undefined;
    const { message, emoji } = call;
    this.note({ type: call.op === 'react' ? 'reacted' : 'unreacted', message, emoji });
    return '';
  }

  #post({ nonce, chat, replyTo, text }: Extract<WireCall, { readonly op: 'post' }>): string | undefined {
    if (!this.#onMoment('post')) return undefined;
    const known = this.#posts.get(nonce);
    const id = known ?? `answer-${this.#posts.size + 1}`;
    this.#posts.set(nonce, id);
    this.note(
      known === undefined ? { type: 'posted', nonce, chat, replyTo, text } : { type: 'refused', nonce },
    );
    return this.#onMoment('posted') ? id : undefined;
  }
}
