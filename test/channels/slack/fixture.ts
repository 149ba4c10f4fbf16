import { onTestFinished } from 'vitest';
import { createSlackChannel } from '#channels/slack/adapter.ts';
import { EVENTS_PATH, type SlackSettings } from '#channels/slack/settings.ts';
import type { ActiveChat, ChannelHost, Receipt } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Form } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type DeliveryId,
  type SessionKey,
  type ThreadId,
  type Timestamp,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext, MessageChange, OutboundMessage, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ApprovalOutcome } from '#src/kernel/agent/approvals.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import type { FakeSlackOptions } from '#test/fakes/slack/options.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { RatedHost } from '#test/support/rated-host.ts';
import { recordingLogger } from '#test/support/context.ts';
import { EMPTY_HOME } from '#test/support/home.ts';

const command = (name: string, alias: string, more: Partial<CommandDefinition> = {}): CommandDefinition => ({
  name,
  aliases: [alias],
  description: { ko: `${alias} 설명`, en: `about ${name}` },
  usage: { ko: `/${name} 삼성전자`, en: `/${name} AAPL` },
  category: 'general',
  ...more,
});

const COMMANDS: readonly CommandDefinition[] = [
  command('price', '시세'),
  command('portfolio', '포트폴리오', { isPrivate: true }),
  command('keys', '키', { isPrivate: true }),
  command('status', '상태', { isPrivate: true }),
  command('help', '도움말'),
  command('why', '근거', { isPrivate: true }),
];

const KEY_FORM: Form = {
  id: 'keys:openai',
  title: 'A new key',
  submitLabel: 'Save',
  fields: [{ id: 'key', label: 'Key', isRequired: true, maxLength: 200 }],
};

/** The app as the channel sees it: keeps what it is given, and knows each message once. */
export class StubHost extends RatedHost implements ChannelHost {
  readonly received: MsgContext[] = [];
  readonly changes: MessageChange[] = [];
  readonly decisions: { readonly id: string; readonly verdict: string; readonly userId: string }[] = [];
  readonly submitted: unknown[] = [];
  readonly #known = new Set<string>();
  /** How a message is taken; a throw means that it could not be stored. */
  onReceive: (message: MsgContext) => Receipt | undefined | Promise<Receipt | undefined> = () => undefined;
  decision: ApprovalOutcome['outcome'] = 'recorded';
  seenUntil: Timestamp | undefined;
  activeChats: readonly ActiveChat[] = [];
  findActiveChats = async (): Promise<readonly ActiveChat[]> => this.activeChats;
  readonly saw: Timestamp[] = [];
  others: ChannelHost['others'];
  /** How many readings of missed messages have not ended well. */
  holds = 0;

  readonly receive = async (message: MsgContext): Promise<Receipt> => {
    const key = `${message.chatId} ${message.id}`;
    if (this.#known.has(key)) return { outcome: 'duplicate' };
    const receipt = await this.onReceive(message);
    if (receipt?.outcome === 'dropped') return receipt;
    this.#known.add(key);
    this.received.push(message);
    return (
      receipt ?? {
        outcome: 'accepted',
        sessionKey: asId<SessionKey>('session'),
        settled: Promise.resolve(),
      }
    );
  };
  readonly revise: ChannelHost['revise'] = async (change) => {
    this.changes.push(change);
    return 'changed';
  };
  /** What other processes have received. */
  earlier: readonly MsgContext[] = [];
  readonly beginsConversation: ChannelHost['beginsConversation'] = async ({ id, chatId, threadId }) =>
    [...this.earlier, ...this.received].find(
      (message) => message.chatId === chatId && message.threadId === threadId,
    )?.id === id;
  readonly queue: ChannelHost['queue'] = { stop: async () => 'idle' };
  readonly keys: ChannelHost['keys'] = {
    add: async () => {
      throw new Error('keys come by forms');
    },
  };
  refusal: string | undefined;
  readonly refusalFor: ChannelHost['refusalFor'] = async () => this.refusal;
  readonly approvals: ChannelHost['approvals'] = {
    decide: async (id, verdict, { senderId: userId }) => {
      this.decisions.push({ id, verdict, userId });
      return this.decision === 'recorded'
        ? { outcome: 'recorded', settled: Promise.resolve() }
        : { outcome: this.decision };
    },
  };
  readonly commands = (): readonly CommandDefinition[] => COMMANDS;
  readonly suggest: ChannelHost['suggest'] = async () => [];
  home: ChannelHost['home'] = EMPTY_HOME;
  readonly forms: ChannelHost['forms'] = {
    open: (text) => (text.startsWith('/keys add') ? KEY_FORM : undefined),
    submit: async (formId, values, { senderId }) => {
      this.submitted.push({ formId, values, senderId });
      return 'The key is **saved**.';
    },
  };
  readonly progress: ChannelHost['progress'] = {
    seenUntil: async () => this.saw.at(-1) ?? this.seenUntil,
    saw: (_channel, _account, at) => void this.saw.push(at),
    hold: () => {
      this.holds += 1;
      return () => void (this.holds -= 1);
    },
    forget: () => undefined,
    activeChats: () => this.findActiveChats(),
  };
  readonly describeModel: ChannelHost['describeModel'] = () => ({ name: 'test', isOffline: true });
  readonly describeMarket: ChannelHost['describeMarket'] = () => 'sample';
  readonly requestShutdown = (): void => undefined;

  get bodies(): readonly string[] {
    return this.received.filter(({ isFromSelf }) => !isFromSelf).map(({ body }) => body);
  }
}

export interface SlackSetUp {
  readonly fake: FakeSlack;
  readonly channel: ChannelPlugin;
  readonly host: StubHost;
  readonly records: ReturnType<typeof recordingLogger>['records'];
}

export interface SetUpOptions {
  readonly fake?: FakeSlackOptions;
  readonly settings?: Partial<SlackSettings>;
  readonly clock?: Clock;
  readonly host?: StubHost;
  readonly isStarted?: boolean;
  /** Another bot on the same Slack. */
  readonly on?: FakeSlack;
  /** Turns HTTP mode on. */
  readonly httpPort?: number;
}

/** The real Bolt against a fake Slack; both end with the test. */
export const setUpChannel = async (options: SetUpOptions = {}): Promise<SlackSetUp> => {
  const { httpPort: port } = options;
  const fake =
    options.on ??
    (await startFakeSlack({
      ...(port === undefined ? {} : { requestUrl: `http://127.0.0.1:${port}${EVENTS_PATH}` }),
      ...options.fake,
    }));
  if (!options.on) onTestFinished(fake.close);
  const { logger, records } = recordingLogger();
  const channel = createSlackChannel({
    settings: {
      botToken: fake.botToken,
      ...(port === undefined
        ? { appToken: fake.appToken }
        : { signingSecret: fake.signingSecret, host: '127.0.0.1', port }),
      apiUrl: fake.apiUrl,
      ...options.settings,
    },
    clock: options.clock ?? systemClock,
    logger,
    locale: 'auto',
  });
  onTestFinished(() => channel.close());
  const host = options.host ?? new StubHost();
  if (options.isStarted !== false) await channel.start(host);
  return { fake, channel, host, records };
};

/** Slack takes the next call of this method only when it is released. */
export const holdNext = (fake: FakeSlack, method: string) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const calls = (): number =>
    entriesOf(fake.history, 'request').filter((each) => each.method === method).length;
  const before = calls();
  fake.fail(method, { kind: 'held', until: promise });
  onTestFinished(() => resolve());
  return { reached: () => fake.until(() => calls() > before, { what: method }), release: resolve };
};

export const NEVER = new AbortController().signal;

export const targetIn = (
  chatId: string,
  recipientId: string,
  more: Partial<ReplyTarget> = {},
): ReplyTarget => ({
  channelId: asId<ChannelId>('slack'),
  accountId: asId<AccountId>('T0FINCLAW1'),
  chatId: asId<ChatId>(chatId),
  recipientId: asId<UserId>(recipientId),
  ...more,
});

export const threadTarget = (chatId: string, recipientId: string, thread: string): ReplyTarget =>
  targetIn(chatId, recipientId, { threadId: asId<ThreadId>(thread) });

export const outbound = (
  target: ReplyTarget,
  text: string,
  more: Partial<Omit<OutboundMessage, 'payload'>> & {
    readonly payload?: Partial<OutboundMessage['payload']>;
  } = {},
): OutboundMessage => ({
  deliveryId: newId<DeliveryId>(),
  target,
  ...more,
  payload: { text, ...more.payload },
});
