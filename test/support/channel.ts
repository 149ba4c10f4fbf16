import type { ChannelCapabilities } from '#src/kernel/chat/capabilities.ts';
import type { ChannelHost, Receipt } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { asId, type ChannelId, type MessageId } from '#src/kernel/ids.ts';
import type { MsgContext, MediaAttachment, OutboundMessage, ReplyTarget } from '#src/kernel/chat/message.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';

export interface SentMessage extends OutboundMessage {
  readonly messageId: MessageId;
}

export interface ReactionCall {
  readonly action: 'add' | 'remove';
  readonly emoji: string;
  readonly target: ReplyTarget;
}

export interface TestChannelOptions {
  readonly id?: string;
  readonly maxMessageLength?: number;
  readonly capabilities?: Partial<ChannelCapabilities>;
  /** What lies behind the addresses of attachments; an error is what reading it fails with. Absent: it hands over none. */
  readonly files?: Readonly<Record<string, Uint8Array | Error>>;
}

/** Long enough for anything a test waits for in real time; a test that gets here has failed. */
const WAIT_LIMIT_MS = 5_000;

/**
 * A platform in memory. It enforces what platforms enforce (length, no empty text, nothing after `close`),
 * keeps what it was sent in order, and can be told to fail, to be slow or to hang.
 */
export class TestChannel implements ChannelPlugin {
  readonly id: ChannelId;
  readonly capabilities: ChannelCapabilities;
  /** What arrived on the platform, in order. */
  readonly sent: SentMessage[] = [];
  /** Every call of `send`, also those that failed. */
  readonly attempts: OutboundMessage[] = [];
  readonly reactions: ReactionCall[] = [];
  readonly typing: ReplyTarget[] = [];
  /** Looks on from inside `send`, before the message arrives; a throw fails the send. */
  onSend: (message: OutboundMessage, signal: AbortSignal) => void | Promise<void> = () => undefined;
  /** The same for the signs; a throw fails them. */
  onReaction: (call: ReactionCall) => void | Promise<void> = () => undefined;
  onTyping: () => void | Promise<void> = () => undefined;
  readonly readMedia?: (media: MediaAttachment) => Promise<Uint8Array>;

  #host: ChannelHost | undefined;
  #state: 'new' | 'started' | 'stopped' | 'closed' = 'new';
  #failures: Error[] = [];
  #delay: { readonly ms: number; readonly clock: Clock } | undefined;
  #hang: { readonly released: Promise<void>; readonly isDeaf: boolean } | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: TestChannelOptions = {}) {
    this.id = asId<ChannelId>(options.id ?? 'test');
    this.capabilities = {
      maxMessageLength: options.maxMessageLength ?? 2_000,
      supportsMarkdown: true,
      supportsTables: false,
      ...options.capabilities,
    };
    const { files } = options;
    if (files) {
      this.readMedia = async ({ url }) => {
        const file = files[url] ?? new Error('there is nothing at this address');
        if (file instanceof Error) throw file;
        return file;
      };
    }
  }

  // What a test asks.

  /** The texts that arrived, in order. */
  get texts(): readonly string[] {
    return this.sent.map((message) => message.payload.text);
  }

  /** The reactions that a person sees now. */
  get visibleReactions(): readonly string[] {
    const shown = new Set<string>();
    for (const { action, emoji } of this.reactions) {
      if (action === 'add') shown.add(emoji);
      else shown.delete(emoji);
    }
    return [...shown];
  }

  /** Resolves with all messages as soon as `count` have arrived since the start. */
  readonly waitForSent = (count: number): Promise<readonly SentMessage[]> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`${this.sent.length} of ${count} messages arrived: ${JSON.stringify(this.texts)}`));
      }, WAIT_LIMIT_MS);
      const check = (): void => {
        if (this.sent.length < count) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve([...this.sent]);
      };
      this.#waiting.add(check);
      check();
    });

  // What a test makes happen.

  /** A message from the platform, handed to the host that `start` was given. */
  readonly receive = async (message: MsgContext): Promise<Receipt> => this.host.receive(message);

  /** What the app offers, for what comes not as a message: a key entered unseen. */
  get host(): ChannelHost {
    if (!this.#host || this.#state !== 'started') throw new Error(`The channel ${this.id} is not started`);
    return this.#host;
  }

  /** The person asked the program to end. */
  readonly requestShutdown = (): void => this.#host?.requestShutdown();

  readonly failNextSends = (count: number, error = new Error('the platform is out of reach')): void => {
    this.#failures = Array.from({ length: count }, () => error);
  };

  /** Every send takes so long from now on, by the given clock. */
  readonly delaySends = (ms: number, clock: Clock): void => {
    this.#delay = { ms, clock };
  };

  /** Sends hang from now on until the returned function is called; a deaf one does not even hear an abort. */
  readonly hangSends = ({ isDeaf = false }: { readonly isDeaf?: boolean } = {}): (() => void) => {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const hang = { released, isDeaf };
    this.#hang = hang;
    return () => {
      if (this.#hang === hang) this.#hang = undefined;
      resolve();
    };
  };

  // The platform itself.

  readonly start = async (host: ChannelHost): Promise<void> => {
    this.#host = host;
    this.#state = 'started';
  };

  readonly stop = async (): Promise<void> => {
    if (this.#state !== 'closed') this.#state = 'stopped';
  };

  readonly close = async (): Promise<void> => {
    this.#state = 'closed';
  };

  readonly isConnected = (): boolean => this.#state === 'started';

  readonly send = async (
    message: OutboundMessage,
    signal: AbortSignal,
  ): Promise<{ readonly messageId: MessageId }> => {
    signal.throwIfAborted();
    this.attempts.push(message);
    await this.onSend(message, signal);
    if (this.#delay) await sleepWithAbort(this.#delay.ms, this.#delay.clock, signal);
    if (this.#hang) await this.#waitForRelease(this.#hang, signal);
    const failure = this.#failures.shift();
    if (failure) throw failure;
    this.#checkRules(message);
    const messageId = asId<MessageId>(`${this.id}-${this.sent.length + 1}`);
    this.sent.push({ ...message, messageId });
    for (const check of this.#waiting) check();
    return { messageId };
  };

  readonly addReaction = (target: ReplyTarget, emoji: string): Promise<void> =>
    this.#react({ action: 'add', emoji, target });

  readonly removeReaction = (target: ReplyTarget, emoji: string): Promise<void> =>
    this.#react({ action: 'remove', emoji, target });

  readonly sendTyping = async (target: ReplyTarget): Promise<void> => {
    await this.onTyping();
    this.typing.push(target);
  };

  async #react(call: ReactionCall): Promise<void> {
    await this.onReaction(call);
    this.reactions.push(call);
  }

  #checkRules({ payload: { text } }: OutboundMessage): void {
    const { maxMessageLength } = this.capabilities;
    if (this.#state === 'closed') throw new Error(`The channel ${this.id} is closed`);
    if (text.trim() === '') throw new Error('Cannot send an empty message');
    if (text.length > maxMessageLength) {
      throw new Error(`Must be ${maxMessageLength} or fewer in length, not ${text.length}`);
    }
  }

  async #waitForRelease(
    hang: { readonly released: Promise<void>; readonly isDeaf: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    if (hang.isDeaf) return hang.released;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([hang.released, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    return undefined;
  }
}
