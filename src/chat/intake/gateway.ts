import type { ChannelHost } from '#src/kernel/channel.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { MarketHours } from '#src/kernel/finance.ts';
import type { GuildSettings } from '#src/kernel/guild-settings.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage, MsgContext } from '#src/kernel/message.ts';
import type { BudgetCheck, Pairings } from '#src/kernel/operations.ts';
import type { Approvals } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Dedupe } from '#src/platform/dedupe.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createApprovalStore } from '#src/platform/storage/messages/approvals.ts';
import { createAwaitedInputs } from '#src/platform/storage/messages/awaited-inputs.ts';
import { createConversationTraces } from '#src/platform/storage/messages/conversation-traces.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createOpenQuestions } from '#src/platform/storage/messages/open-questions.ts';
import { type DirectSender, mayWriteDirectly } from './gates/direct-policy.ts';
import { createPairings } from '#src/platform/storage/accounts/pairings.ts';
import { type ContextSettings, localeOf } from '../turns/message-context.ts';
import { commandNameOf } from '../turns/read-command.ts';
import { deriveSessionKey } from '../turns/session-key.ts';
import type { Turns } from '../turns/turns.ts';
import { type Binding, createBindingMatcher } from './binding.ts';
import { blank } from './gates/blank.ts';
import { composeGates, createGates, type GatesDeps } from './gates/index.ts';
import { length } from './gates/length.ts';
import { secrets } from './gates/secrets.ts';
import { MessageRouter, type RouterDeps } from './message-router.ts';
import {
  createTypedReplies,
  isClearAnswer,
  type TypedReplies,
  type TypedRepliesDeps,
} from './typed-replies.ts';

export interface GatewaySettings {
  readonly gates: Pick<
    GatesDeps,
    'allowBots' | 'botLoop' | 'allow' | 'direct' | 'mention' | 'maxMessageChars' | 'rateLimitPerMinute'
  >;
  readonly pipeline: Pick<GatesDeps, 'respectMarketHours' | 'markets'>;
  readonly bindings: readonly Binding[];
}

export interface GatewayDeps {
  readonly settings: GatewaySettings;
  /** The ids of all platforms. */
  readonly platforms: readonly string[];
  readonly context: ContextSettings;
  readonly storage: Storage;
  readonly isReceivedElsewhere: GatesDeps['isReceivedElsewhere'];
  readonly turns: Turns;
  readonly marketHours: MarketHours;
  readonly approvals: Pick<Approvals, 'pending' | 'decide'>;
  readonly budget: BudgetCheck;
  readonly guildSettings: Pick<GuildSettings, 'of' | 'revision'>;
  readonly notice: RouterDeps['notice'];
  readonly numbersChoices: TypedRepliesDeps['numbersChoices'];
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

export interface Gateway {
  readonly receive: MessageRouter['receive'];
  readonly revise: MessageRouter['revise'];
  readonly beginsConversation: ChannelHost['beginsConversation'];
  readonly pairings: Pairings;
  /** Whether the gates let a person write to the bot directly. */
  readonly mayWriteDirectly: (sender: DirectSender) => Promise<boolean>;
  /** Acts on a typed answer to a question. */
  readonly actOnReply: TypedReplies['act'];
  /** Whether spoken words would answer an open approval request, had they been typed. */
  readonly answersRequest: (ctx: MsgContext, words: string) => Promise<boolean>;
  /** Lets the person answer the model's question without a mention for a while. */
  readonly awaitInput: (ctx: MsgContext) => Promise<void>;
}

/** Rejects a market without known hours: it would never count as closed, so a typo would disable the gate. */
const checkMarkets = ({ pipeline }: GatewaySettings, hours: MarketHours): void => {
  const unknown = pipeline.markets?.find((market) => !hours.markets.includes(market));
  if (unknown !== undefined)
    throw new FinClawError(
      `pipeline.markets names "${unknown}"; the markets whose hours are known are ${hours.markets.join(', ')}.`,
      'CONFIG_INVALID',
    );
};

const DUPLICATE_MEMORY_MS = 15 * 60_000;
const AWAIT_INPUT_MS = 10 * 60_000;

/** Creates the gateway, which turns a platform's event into an accepted message and passes it to the turns. */
export const openGateway = (deps: GatewayDeps): Gateway => {
  const { storage, settings, context, turns, clock } = deps;
  const { inbox, commandOf } = turns;
  checkMarkets(settings, deps.marketHours);
  const pairings = createPairings(storage, clock);
  const awaitedInputs = createAwaitedInputs(storage, clock);
  const matchBinding = createBindingMatcher(settings.bindings, deps.platforms, deps.logger);
  const sessionKeyOf = (message: InboundMessage): SessionKey =>
    deriveSessionKey(matchBinding(message).agentId, message);
  const traces = createConversationTraces(storage.db);
  const questions = createOpenQuestions(storage.db);
  const replies = createTypedReplies({
    questions,
    approvals: { get: createApprovalStore(storage).get, decide: deps.approvals.decide },
    messageOf: inbox.get,
    readable: context.readable,
    localeOf: (message) => localeOf(message, context),
    numbersChoices: deps.numbersChoices,
    tell: deps.notice,
    clock,
  });
  const gateDeps: GatesDeps = {
    ...settings.gates,
    ...settings.pipeline,
    ...context,
    pairings,
    awaitedInputs,
    traces,
    sessionKeyOf,
    isReceivedElsewhere: deps.isReceivedElsewhere,
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
  });
  return {
    receive: router.receive,
    revise: router.revise,
    beginsConversation: async (message) =>
      !(await traces.hasTakenPart(sessionKeyOf(message), message.timestamp.subtract({ nanoseconds: 1 }))),
    pairings,
    mayWriteDirectly: (sender) => mayWriteDirectly(sender, gateDeps),
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
