import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import type { ChannelHost, Receipt } from '#src/kernel/channel/host.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { asId, type DeliveryId, type SessionKey } from '#src/kernel/ids.ts';
import type { PictureProtocol } from '#channels/console/send/pictures.ts';
import type { MsgContext, OutboundMessage, ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import type { KeyedProvider } from '#src/kernel/agent/model.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { stripMentions } from '#test/support/markup.ts';
import { VirtualTerminal } from '#test/support/virtual-terminal.ts';
import { EMPTY_HOME } from '#test/support/home.ts';

/** What a person would see, and a way to break it. */
export class Screen extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  isBroken = false;
  #text = '';
  readonly #terminal: VirtualTerminal;

  /** Wide enough for every sentence, unless a test is about the width. */
  constructor(isTTY: boolean, columns = 300, rows = 24) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
    this.rows = rows;
    this.#terminal = new VirtualTerminal(columns, rows);
  }

  /** The lines as they stand on the screen now. */
  get lines(): readonly string[] {
    return this.#terminal.lines;
  }

  get cursor(): VirtualTerminal['cursor'] {
    return this.#terminal.cursor;
  }

  override _write(chunk: Buffer | string, _encoding: string, callback: (error?: Error | null) => void): void {
    if (this.isBroken) {
      callback(new Error('EPIPE'));
      return;
    }
    this.#text += chunk.toString();
    this.#terminal.write(chunk.toString());
    callback();
  }

  /** What came since the last call. */
  readonly take = (): string => {
    const text = this.#text;
    this.#text = '';
    return text;
  };
}

/** The rest of the program, as the channel sees it. Accepts every message and works on it until told otherwise. */
class FakeHost implements ChannelHost {
  readonly received: MsgContext[] = [];
  readonly stopped: SessionKey[] = [];
  readonly addedKeys: { readonly provider: KeyedProvider; readonly key: string; readonly name?: string }[] =
    [];
  model: ReturnType<ChannelHost['describeModel']> = { name: 'Offline rules', isOffline: true };
  shutdowns = 0;
  onReceive: (message: MsgContext) => Promise<Receipt> = async () => this.accept();
  readonly #working: PromiseWithResolvers<void>[] = [];

  readonly accept = (): Receipt => {
    const work = Promise.withResolvers<void>();
    this.#working.push(work);
    return { outcome: 'accepted', sessionKey: asId<SessionKey>('session-1'), settled: work.promise };
  };

  /** The oldest running message is worked off. */
  readonly settleNext = (): void => this.#working.shift()?.resolve();

  get bodies(): readonly string[] {
    return this.received.map(({ body }) => body);
  }

  readonly receive: ChannelHost['receive'] = (message) => {
    this.received.push(message);
    return this.onReceive(message);
  };

  readonly beginsConversation: ChannelHost['beginsConversation'] = async () => true;
  readonly revise: ChannelHost['revise'] = async () => 'too-late';
  definitions: ReturnType<ChannelHost['commands']> = [];
  readonly commands: ChannelHost['commands'] = () => this.definitions;
  onSuggest: ChannelHost['suggest'] = async () => [];
  readonly suggest: ChannelHost['suggest'] = (...asked) => this.onSuggest(...asked);
  readonly home = EMPTY_HOME;
  readonly forms: ChannelHost['forms'] = { open: () => undefined, submit: async () => '' };
  readonly progress: ChannelHost['progress'] = {
    seenUntil: async () => undefined,
    saw: () => undefined,
    hold: () => () => undefined,
    forget: () => undefined,
    activeChats: async () => [],
  };

  onStop: () => Promise<'stopped' | 'idle'> = async () => 'stopped';

  readonly queue: ChannelHost['queue'] = {
    stop: (sessionKey) => {
      this.stopped.push(sessionKey);
      return this.onStop();
    },
  };

  readonly refusalFor: ChannelHost['refusalFor'] = async () => undefined;
  /** Typed answers are messages here: nothing is pressed. */
  readonly approvals: ChannelHost['approvals'] = { decide: async () => ({ outcome: 'unknown' }) };

  onAddKey: (provider: KeyedProvider) => Promise<KeyStatus> = async (provider) => ({
    id: 'key-1',
    provider,
    name: 'main',
    masked: 'sk-…wxyz',
    source: 'profile',
    isSaved: true,
    isActive: true,
    isPreferred: false,
    health: 'healthy',
    cooldownMs: 0,
  });

  readonly keys: ChannelHost['keys'] = {
    add: (provider, key, name) => {
      this.addedKeys.push({ provider, key, ...(name === undefined ? {} : { name }) });
      return this.onAddKey(provider);
    },
  };

  readonly feedback: ChannelHost['feedback'] = {
    rate: async () => Promise.reject(new Error('the terminal has no such buttons')),
  };
  readonly describeModel: ChannelHost['describeModel'] = () => this.model;
  readonly describeMarket: ChannelHost['describeMarket'] = () => 'sample';
  readonly eventFailed: ChannelHost['eventFailed'] = () => undefined;
  readonly postRefused: ChannelHost['postRefused'] = () => undefined;

  readonly requestShutdown = (): void => {
    this.shutdowns += 1;
  };
}

/** Lets everything run that is ready: streams hand their chunks on over several turns of the event loop. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

interface Options {
  /** Of both streams, or of each. */
  readonly isTTY: boolean | { readonly input: boolean; readonly output: boolean };
  readonly hasColour?: boolean;
  readonly locale?: Locale | undefined;
  readonly columns?: number;
  readonly rows?: number;
  readonly canRedraw?: boolean;
  readonly pictures?: PictureProtocol;
}

export const openConsole = ({ isTTY, hasColour = false, locale = 'en', ...rest }: Options) => {
  const terminals = typeof isTTY === 'boolean' ? { input: isTTY, output: isTTY } : isTTY;
  const input = Object.assign(new PassThrough(), { isTTY: terminals.input });
  const screen = new Screen(terminals.output, rest.columns, rest.rows);
  const clock = new ManualClock();
  const host = new FakeHost();
  const { logger, records } = recordingLogger();
  const channel = createConsoleChannel({
    stripMentions,
    input,
    output: screen,
    hasColour,
    locale,
    version: '1.2.3',
    clock,
    logger,
    ...(rest.canRedraw === undefined ? {} : { canRedraw: rest.canRedraw }),
    pictures: rest.pictures,
  });
  onTestFinished(async () => {
    await channel.stop();
    await channel.close();
  });
  const errors = (): readonly string[] =>
    records()
      .filter(({ level }) => level === 'error')
      .map((record) => JSON.stringify(record));
  /** Keys pressed, or bytes that came through the pipe. */
  const type = async (keys: string | Buffer): Promise<void> => {
    input.write(keys);
    await settle();
  };
  const answer = (
    text: string,
    more: Partial<ReplyPayload> = {},
    to: Partial<ReplyTarget> = {},
  ): Promise<unknown> => channel.send(reply({ text, ...more }, to), new AbortController().signal);
  return { input, screen, host, channel, clock, errors, type, answer };
};

const reply = (payload: ReplyPayload, to: Partial<ReplyTarget>): OutboundMessage => {
  const { channelId, accountId, chatId, senderId } = inboundMessage();
  return {
    deliveryId: asId<DeliveryId>('delivery-1'),
    target: { channelId, accountId, chatId, recipientId: senderId, ...to },
    payload,
  };
};
