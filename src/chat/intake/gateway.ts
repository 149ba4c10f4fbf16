import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { MarketHours } from '#src/kernel/market/finance.ts';
import type { ChannelId, SessionKey } from '#src/kernel/ids.ts';
import type { MsgContext, TurnContext } from '#src/kernel/chat/message.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import { createAwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import { createConversationTraces } from '#src/chat/store/conversation-traces.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Uses } from '#src/platform/services.ts';
import { createOpenQuestions } from '#src/chat/store/open-questions.ts';
import type { PairingStore } from '#src/people/store/pairings.ts';
import { type ContextSettings, localeOf } from '../context/message-context.ts';
import { commandNameOf } from '../context/read-command.ts';
import { deriveQuestionKey, deriveSessionKey } from '../context/session-key.ts';
import type { Turns } from '../queue/turns.ts';
import { type Binding, createBindingMatcher } from './binding.ts';
import { blank } from '../gates/blank.ts';
import { composeGates, createGates, type GatesDeps } from '../gates/index.ts';
import { length } from '../gates/length.ts';
import { secrets } from '../gates/secrets.ts';
import { MessageRouter, type RouterDeps } from './message-router.ts';
import { createTypedReplies, isClearAnswer, type TypedReplies } from './typed-replies.ts';

export interface GatewaySettings {
  readonly gates: Pick<
    GatesDeps,
    'allowBots' | 'botLoop' | 'allow' | 'direct' | 'mention' | 'maxMessageChars' | 'rateLimitPerMinute'
  >;
  readonly pipeline: Pick<GatesDeps, 'respectMarketHours' | 'markets'>;
  readonly bindings: readonly Binding[];
}

interface GatewayDeps extends Uses<
  | 'approvals.pending'
  | 'approvals.decide'
  | 'budget.check'
  | 'clock'
  | 'events'
  | 'guildSettings.of'
  | 'guildSettings.revision'
  | 'logger'
> {
  readonly settings: GatewaySettings;
  /** The ids of all platforms. */
  readonly platforms: readonly string[];
  readonly context: ContextSettings;
  readonly storage: Storage;
  readonly cluster:
    | { readonly processes: { readonly isReceivedBySeveral: GatesDeps['isReceivedElsewhere'] } }
    | undefined;
  readonly turns: Turns;
  readonly marketHours: MarketHours;
  readonly pairings: PairingStore;
  readonly notice: RouterDeps['notice'];
  readonly channelOf: (id: ChannelId) => Pick<ChannelPlugin, 'capabilities'>;
  readonly storedToday: GatesDeps['storedToday'];
}

export interface Gateway {
  readonly receive: MessageRouter['receive'];
  readonly revise: MessageRouter['revise'];
  readonly beginsConversation: ChannelHost['beginsConversation'];
  /** Acts on a typed answer to a question. */
  readonly actOnReply: TypedReplies['act'];
  /** Whether spoken words would answer an open approval request, had they been typed. */
  readonly answersRequest: (ctx: TurnContext, words: string) => Promise<boolean>;
  /** Lets the person answer the model's question without a mention for a while. */
  readonly awaitInput: (ctx: TurnContext) => Promise<void>;
}

const DUPLICATE_MEMORY_MS = 15 * 60_000;
const AWAIT_INPUT_MS = 10 * 60_000;

/** Creates the gateway, which turns a platform's event into an accepted message and passes it to the turns. */
export const openGateway = (deps: GatewayDeps): Gateway => {
  const { storage, settings, context, turns, clock } = deps;
  const { inbox, commandOf } = turns;
  const awaitedInputs = createAwaitedInputs(storage, clock);
  const matchBinding = createBindingMatcher(settings.bindings, deps.platforms, deps.logger);
  const keyOf: RouterDeps['keyOf'] = (agentId, message) =>
    commandOf(message) ? deriveSessionKey(agentId, message) : deriveQuestionKey(agentId, message);
  const sessionKeyOf = (message: MsgContext): SessionKey => keyOf(matchBinding(message).agentId, message);
  const traces = createConversationTraces(storage.db);
  const questions = createOpenQuestions(storage.db);
  const replies = createTypedReplies({
    questions,
    approvals: { get: createApprovalStore(storage).get, decide: deps.approvals.decide },
    messageOf: inbox.get,
    readable: context.readable,
    localeOf: (message) => localeOf(message, context),
    numbersChoices: (channelId) => deps.channelOf(channelId).capabilities.numbersChoices === true,
    tell: deps.notice,
    clock,
  });
  const gateDeps: GatesDeps = {
    ...settings.gates,
    ...settings.pipeline,
    ...context,
    pairings: deps.pairings,
    awaitedInputs,
    traces,
    sessionKeyOf,
    isReceivedElsewhere: (channelId) => deps.cluster?.processes.isReceivedBySeveral(channelId) ?? false,
    guildSettings: deps.guildSettings,
    commandOf,
    isExpected: async (message) => {
      const command = commandNameOf(commandOf(message));
      if (command === 'stop') return turns.isRunning(sessionKeyOf(message));
      if (command === undefined) return replies.isExpected(message, sessionKeyOf(message));
      if (command !== 'approve' && command !== 'deny') return false;
      return (await deps.approvals.pending(sessionKeyOf(message))).length > 0;
    },
    isAside: async (message) => {
      if (!isClearAnswer(context.readable(message.body))) return false;
      const sessionKey = sessionKeyOf(message);
      const pending = await deps.approvals.pending(sessionKey);
      // A message that arrives late was written while the question was open, though it may be decided by now.
      const asked = [
        ...pending.map(({ askedBy }) => askedBy),
        ...(await questions.askedAt(sessionKey, message.timestamp)),
      ];
      return asked.length > 0 && !asked.includes(message.senderId);
    },
    budget: deps.budget,
    storedToday: deps.storedToday,
    marketHours: deps.marketHours,
    clock,
  };
  const router = new MessageRouter({
    ...deps,
    settings: context,
    gates: composeGates(createGates(gateDeps)),
    contentGates: composeGates([blank(gateDeps), length(gateDeps), secrets(gateDeps)]),
    replies,
    recentEvents: new Dedupe(clock, DUPLICATE_MEMORY_MS),
    matchBinding,
    keyOf,
  });
  return {
    receive: router.receive,
    revise: router.revise,
    beginsConversation: async (message) =>
      !(await traces.hasTakenPart(sessionKeyOf(message), message.timestamp.subtract({ nanoseconds: 1 }))),
    actOnReply: replies.act,
    answersRequest: (ctx, words) => replies.answersRequest(context.readable(words), ctx, ctx.sessionKey),
    awaitInput: ({ channelId, accountId, chatId, messageThreadId, senderId }) =>
      awaitedInputs.open(
        { channelId, accountId, chatId, ...(messageThreadId ? { threadId: messageThreadId } : {}) },
        senderId,
        AWAIT_INPUT_MS,
      ),
  };
};
