import type { Actor, NotAdmitted } from '#src/kernel/chat/actor.ts';
import { createDiscordChannel } from '#channels/discord/adapter.ts';
import type { DiscordDeps } from '#channels/discord/settings.ts';
import type { ActiveChat, ChannelHost, Receipt } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Form } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { asId, type DeliveryId, type SessionKey, type Timestamp } from '#src/kernel/ids.ts';
import {
  type MsgContext,
  type MessageChange,
  type OutboundMessage,
  type ReplyPayload,
  type ReplyTarget,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import type { ApprovalOutcome } from '#src/kernel/agent/approvals.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { FakeDiscord, FakeDiscordOptions } from '#test/fakes/discord/api.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { RatedHost } from '#test/support/rated-host.ts';
import { EMPTY_HOME } from '#test/support/home.ts';

export const NEVER = new AbortController().signal;

/** Real time, but whoever waits waits a twentieth of it. */
export const hurriedClock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / 20, callback),
};

const PRICE: CommandDefinition = {
  name: 'price',
  aliases: ['시세', 'p'],
  description: { en: 'The price of something', ko: '시세 조회' },
  usage: { en: '/price AAPL', ko: '/시세 삼성전자' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: { en: 'What to look up', ko: '조회할 종목' },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
  ],
};

const USAGE: CommandDefinition = {
  name: 'usage',
  aliases: ['사용량'],
  description: { en: 'What was used', ko: '사용량' },
  usage: { en: '/usage', ko: '/사용량' },
  category: 'general',
  isPrivate: true,
  options: [{ name: 'file', nameKo: '파일', description: { en: 'A file', ko: '파일' }, type: 'file' }],
};

const KEYS: CommandDefinition = {
  name: 'keys',
  aliases: ['키'],
  description: { en: 'Keys', ko: '키 관리' },
  usage: { en: '/keys', ko: '/키' },
  category: 'admin',
  options: [
    { name: 'action', nameKo: '동작', description: { en: 'What to do', ko: '할 일' }, type: 'text' },
    { name: 'all', nameKo: '모두', description: { en: 'All of them', ko: '모두' }, type: 'flag' },
  ],
};

const FORM: Form = {
  id: 'key:anthropic',
  title: 'A new key',
  submitLabel: 'Save',
  fields: [{ id: 'key', label: 'The key', isRequired: true, maxLength: 200 }],
};

/** The app, as far as a channel sees it. A test changes how it answers. */
export class StubHost extends RatedHost implements ChannelHost {
  readonly received: MsgContext[] = [];
  readonly changes: MessageChange[] = [];
  readonly decisions: { readonly id: string; readonly verdict: string; readonly by: Actor }[] = [];
  readonly submitted: Readonly<Record<string, string>>[] = [];
  readonly seen: Timestamp[] = [];
  seenUntil: Timestamp | undefined;
  activeChats: readonly ActiveChat[] = [];
  onReceive: (message: MsgContext) => Receipt | Promise<Receipt> = () => ({
    outcome: 'accepted',
    sessionKey: asId<SessionKey>('session'),
    settled: new Promise(() => undefined),
  });
  onRevise: () => void = () => undefined;
  outcome: ApprovalOutcome | NotAdmitted = { outcome: 'recorded', settled: Promise.resolve() };

  readonly receive = async (message: MsgContext): Promise<Receipt> => {
    const receipt = await this.onReceive(message);
    this.received.push(message);
    return receipt;
  };
  readonly revise = async (change: MessageChange) => {
    this.onRevise();
    this.changes.push(change);
    return 'changed' as const;
  };
  readonly queue = { stop: async () => 'idle' as const };
  readonly keys = { add: async () => Promise.reject(new Error('not here')) };
  readonly refusalFor: ChannelHost['refusalFor'] = async () => undefined;
  readonly approvals: ChannelHost['approvals'] = {
    decide: async (id, verdict, by) => {
      this.decisions.push({ id, verdict, by });
      return this.outcome;
    },
  };
  definitions: readonly CommandDefinition[] = [PRICE, USAGE, KEYS];
  readonly commands = () => this.definitions;
  readonly suggest: ChannelHost['suggest'] = async (source, typed, { locale }, _limit, filled = {}) => [
    { label: [source, typed, locale, ...Object.entries(filled).flat()].join(' '), value: '005930.KS' },
  ];
  readonly beginsConversation: ChannelHost['beginsConversation'] = async () => true;
  readonly home = EMPTY_HOME;
  readonly forms: ChannelHost['forms'] = {
    open: (text) => (text === '/keys add' ? FORM : undefined),
    submit: async (formId, values) => {
      this.submitted.push({ formId, ...values });
      return 'The key is stored.';
    },
  };
  readonly progress: ChannelHost['progress'] = {
    seenUntil: async () => this.seenUntil,
    saw: (_channel, _account, at) => void this.seen.push(at),
    hold: () => () => undefined,
    forget: () => undefined,
    activeChats: async () => this.activeChats,
  };
  readonly describeModel = () => ({ name: 'test', isOffline: true });
  readonly describeMarket = () => 'sample' as const;
  readonly requestShutdown = () => undefined;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: unknown;
}

export interface Bot {
  readonly fake: FakeDiscord;
  readonly channel: ChannelPlugin;
  readonly host: StubHost;
  readonly log: readonly LogLine[];
  /** Resolves with all messages that were received as soon as there are so many. */
  readonly received: (count: number) => Promise<readonly MsgContext[]>;
}

export const recordingLogger = (log: LogLine[]): FinClawLogger => {
  const at =
    (level: string) =>
    (message: string, fields?: unknown): void =>
      void log.push({ level, message, fields });
  const logger: FinClawLogger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    hide: () => undefined,
    named: () => logger,
  };
  return logger;
};

/** A channel that is not connected; `openBot` is the same with a fake of its own, and started. */
export const makeBot = (fake: FakeDiscord, deps: Partial<DiscordDeps> = {}, host = new StubHost()): Bot => {
  const log: LogLine[] = [];
  const channel = createDiscordChannel({
    clock: systemClock,
    logger: recordingLogger(log),
    locale: 'auto',
    ...deps,
    settings: { token: fake.token, apiUrl: fake.apiUrl, identifyPauseMs: 0, ...deps.settings },
  });
  const received = (count: number): Promise<readonly MsgContext[]> =>
    fake.until(() => host.received.length >= count && host.received, {
      what: `${count} received`,
      timeoutMs: 30_000,
    });
  return { fake, channel, host, log, received };
};

export const openBot = async (
  options: FakeDiscordOptions = {},
  deps: Partial<DiscordDeps> = {},
  definitions?: readonly CommandDefinition[],
): Promise<Bot & AsyncDisposable> => {
  const fake = await startFakeDiscord(options);
  const bot = makeBot(fake, deps);
  if (definitions) bot.host.definitions = definitions;
  await bot.channel.start(bot.host);
  // A busy machine may need longer than `start` waits.
  await fake.until(() => bot.channel.isConnected(), { what: 'a connection' });
  return {
    ...bot,
    [Symbol.asyncDispose]: async () => {
      await bot.channel.close();
      await fake.close();
    },
  };
};

export const outbound = (
  to: MsgContext | ReplyTarget,
  payload: string | ReplyPayload,
  more: Partial<OutboundMessage> = {},
): OutboundMessage => ({
  deliveryId: newId<DeliveryId>(),
  target: 'recipientId' in to ? to : replyTargetOf(to),
  payload: typeof payload === 'string' ? { text: payload } : payload,
  ...more,
});

/** The one that fits; a test that does not find it says so. */
export const only = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`${items.length} instead of one`);
  return item;
};
