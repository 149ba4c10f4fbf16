import type { CommandIn } from '#src/core/command.ts';
import { FinClawError } from '#src/core/errors.ts';
import type { MarketHours } from '#src/core/finance.ts';
import type { GuildSettings } from '#src/core/guild-settings.ts';
import type { SessionKey } from '#src/core/ids.ts';
import type { InboundMessage, MsgContext } from '#src/core/message.ts';
import type { BudgetCheck, Pairings } from '#src/core/operations.ts';
import type { Approvals } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import { Dedupe } from '#src/infra/dedupe.ts';
import { createApprovalStore } from '#src/storage/approvals.ts';
import { createAwaitedInputs } from '#src/storage/awaited-inputs.ts';
import { createConversationTraces } from '#src/storage/conversation-traces.ts';
import type { Storage } from '#src/storage/database.ts';
import { createDeadLetters, type DeadLetters } from '#src/storage/dead-letters.ts';
import { createInboxChanges } from '#src/storage/inbox-changes.ts';
import { createInbox, type Inbox } from '#src/storage/inbox.ts';
import { createOpenQuestions } from '#src/storage/open-questions.ts';
import { createPairings } from '#src/storage/pairings.ts';
import { createQueueModeStore } from '#src/storage/queue-modes.ts';
import { type Binding, createBindingMatcher } from './binding.ts';
import { composeGates } from './compose-gates.ts';
import { blank } from './gates/blank.ts';
import { createGates, type GatesDeps } from './gates/index.ts';
import { length } from './gates/length.ts';
import { secrets } from './gates/secrets.ts';
import { localeOf } from './message-context.ts';
import { MessageQueue, type QueueLimits } from './message-queue.ts';
import { MessageRouter, type RouterDeps } from './message-router.ts';
import { type LiveQueueModes, openQueueModes, type QueueModeSettings } from './queue-modes.ts';
import { commandNameOf, createCommandReader } from './read-command.ts';
import { deriveSessionKey } from './session-key.ts';
import { createTypedReplies, isClearAnswer } from './typed-replies.ts';

type GateSettings = Pick<
  GatesDeps,
  | 'allowBots'
  | 'botLoop'
  | 'allow'
  | 'direct'
  | 'mention'
  | 'maxMessageChars'
  | 'rateLimitPerMinute'
  | 'respectMarketHours'
  | 'markets'
>;

export interface GatewaySettings {
  readonly gates: GateSettings;
  readonly queue: Omit<QueueModeSettings, 'agents'> & Pick<QueueLimits, 'maxPerSession' | 'maxPerPerson'>;
  readonly agents: QueueModeSettings['agents'];
  readonly bindings: readonly Binding[];
  /** The ids of all platforms. */
  readonly platforms: readonly string[];
}

export interface GatewayDeps extends Omit<
  RouterDeps,
  | 'gates'
  | 'contentGates'
  | 'inbox'
  | 'changes'
  | 'deadLetters'
  | 'recentEvents'
  | 'matchBinding'
  | 'queue'
  | 'modes'
  | 'settings'
  | 'replies'
  | 'commandOf'
> {
  readonly storage: Storage;
  readonly settings: GatewaySettings;
  readonly context: RouterDeps['settings'];
  readonly marketHours: MarketHours;
  readonly approvals: RouterDeps['approvals'] & Pick<Approvals, 'pending' | 'decide'>;
  /** Whether a text, as the platform sent it, is a command. */
  readonly commandIn: (body: string) => CommandIn | null;
  readonly budget: BudgetCheck;
  readonly guildSettings: Pick<GuildSettings, 'of' | 'revision'>;
  readonly clock: Clock;
}

export interface Gateway {
  readonly router: MessageRouter;
  readonly queue: MessageQueue;
  readonly modes: LiveQueueModes;
  readonly pairings: Pairings;
  readonly inbox: Inbox;
  readonly deadLetters: DeadLetters;
  /** The model asked this person something: for a while they need not mention the bot. */
  readonly awaitInput: (ctx: MsgContext) => Promise<void>;
}

/** A market that nobody knows would never be closed: a slip of the pen would switch the gate off. */
const checkMarkets = ({ gates }: GatewaySettings, hours: MarketHours): void => {
  const unknown = gates.markets?.find((market) => !hours.markets.includes(market));
  if (unknown !== undefined)
    throw new FinClawError(
      `pipeline.markets names "${unknown}"; the markets whose hours are known are ${hours.markets.join(', ')}.`,
      'CONFIG_INVALID',
    );
};

const DUPLICATE_MEMORY_MS = 15 * 60_000;
const AWAIT_INPUT_MS = 10 * 60_000;

/** Puts the gateway together: from a platform's event to an accepted message, and to its turn. */
export const openGateway = async (deps: GatewayDeps): Promise<Gateway> => {
  const { storage, settings, context, clock } = deps;
  checkMarkets(settings, deps.marketHours);
  const commandOf = createCommandReader(deps.commandIn);
  const inbox = createInbox(storage);
  const deadLetters = createDeadLetters(storage);
  const pairings = createPairings(storage.db, clock);
  const awaitedInputs = createAwaitedInputs(storage.db, clock);
  const matchBinding = createBindingMatcher(settings.bindings, settings.platforms, deps.logger);
  const sessionKeyOf = (message: InboundMessage): SessionKey =>
    deriveSessionKey(matchBinding(message).agentId, message);
  const { maxPerSession, maxPerPerson } = settings.queue;
  const { maxMessageChars } = settings.gates;
  const queue = new MessageQueue({ maxPerSession, maxPerPerson, maxTurnChars: maxMessageChars }, clock);
  const modes = await openQueueModes(
    createQueueModeStore(storage),
    { ...settings.queue, agents: settings.agents },
    clock,
    deps.guildSettings,
  );
  const questions = createOpenQuestions(storage.db);
  const replies = createTypedReplies({
    questions,
    approvals: { get: createApprovalStore(storage.db).get, decide: deps.approvals.decide },
    messageOf: inbox.get,
    readable: context.readable,
    localeOf: (message) => localeOf(message, context),
    tell: deps.notice,
    clock,
  });
  const gateDeps: GatesDeps = {
    ...settings.gates,
    ...context,
    pairings,
    awaitedInputs,
    traces: createConversationTraces(storage.db),
    sessionKeyOf,
    guildSettings: deps.guildSettings,
    commandOf,
    isExpected: async (message) => {
      const command = commandNameOf(commandOf(message));
      if (command === 'stop') return queue.status(sessionKeyOf(message)).isRunning;
      if (command === undefined) return replies.isExpected(message, sessionKeyOf(message));
      if (command !== 'approve' && command !== 'deny') return false;
      return (await deps.approvals.pending(sessionKeyOf(message))).length > 0;
    },
    isAside: async (message) => {
      if (!isClearAnswer(context.readable(message.body))) return false;
      const sessionKey = sessionKeyOf(message);
      const pending = await deps.approvals.pending(sessionKey);
      // What is read again after a gap was said while the question was open, though it may be decided by now.
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
    gates: composeGates(createGates(gateDeps)),
    contentGates: composeGates([blank(gateDeps), length(gateDeps), secrets(gateDeps)]),
    inbox,
    changes: createInboxChanges(storage),
    replies,
    deadLetters,
    recentEvents: new Dedupe(clock, DUPLICATE_MEMORY_MS),
    matchBinding,
    queue,
    modes,
    commandOf,
    settings: context,
  });
  return {
    router,
    queue,
    modes,
    pairings,
    inbox,
    deadLetters,
    awaitInput: ({ channelId, accountId, chatId, messageThreadId, senderId }) =>
      awaitedInputs.open(
        { channelId, accountId, chatId, ...(messageThreadId ? { threadId: messageThreadId } : {}) },
        senderId,
        AWAIT_INPUT_MS,
      ),
  };
};
