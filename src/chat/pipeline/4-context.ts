import { personKey } from '#src/kernel/ids.ts';
import { type ChannelPlugin, EARLIER_MESSAGES } from '#src/kernel/channel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type {
  OpeningOf,
  PipelineMsgContext,
  ReadAttachment,
  ThreadOpening,
} from '#src/kernel/agent/execution.ts';
import type { FinanceContextProvider } from '#src/kernel/market/finance.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import type { MediaMemory } from '#src/platform/files/media-memory.ts';
import { hearRecordings, type HearDeps } from './attachments/hear-recordings.ts';
import { readAttachments, type TakePicture } from './attachments/read-attachments.ts';
import { createReadPdf, type ReadPdf } from './attachments/read-pdf.ts';
import { type Delivery, deliveryFailure } from '../delivery/delivery.ts';
import { PipelineError } from '../delivery/errors.ts';
import type { Acknowledged, Enriched, Normalized } from './stage-types.ts';
import { type EarlierMessage, type TurnContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';
import type { Uses } from '#src/platform/services.ts';
import type { CommandRegistry } from '../commands/command-registry.ts';

interface EnrichContextDeps extends EarlierDeps, Uses<'clock' | 'logger'> {
  readonly financeContextProvider: FinanceContextProvider;
  readonly readPdf: ReadPdf;
  readonly takePicture: TakePicture;
  readonly owner: string;
  readonly media: MediaMemory;
  readonly openingOf: OpeningOf;
}

const TIMEOUT_MS = 3_000;

/** Account data never enters a conversation that others read. */
const isPrivate = ({ ctx }: Normalized): boolean => ctx.chatType === 'direct';

/** The context without any additional data, for when gathering it failed. */
export const plainContext = (
  input: Normalized,
  channel: ChannelPlugin,
  { financeContextProvider: finance }: Pick<EnrichContextDeps, 'financeContextProvider'>,
): PipelineMsgContext => ({
  ...input.ctx,
  agentId: input.match.agentId,
  channelCapabilities: channel.capabilities,
  unavailable: [
    ...(finance.getMarketSession ? ['market session'] : []),
    ...(finance.getRecentNews ? ['news'] : []),
    ...(isPrivate(input) && finance.getActiveAlerts ? ['alerts'] : []),
    ...(isPrivate(input) && finance.getPortfolio ? ['portfolio'] : []),
    ...(isPrivate(input) && finance.getWatchlist ? ['watchlist'] : []),
    ...(wantsEarlier(input.ctx, channel) ? ['earlier messages'] : []),
  ],
  attachments: (input.ctx.media ?? []).map(({ name }) => ({
    kind: 'unreadable',
    name,
    reason: 'it could not be read',
  })),
});

/**
 * Loads all context sources in parallel within three seconds. A source that fails or is late is named in `unavailable`,
 * and the answer is generated without it.
 */
export const enrichContext = async (
  input: Normalized,
  channel: ChannelPlugin,
  deps: EnrichContextDeps,
  parent: AbortSignal,
  recordings: readonly ReadAttachment[] = [],
): Promise<PipelineMsgContext> => {
  const { ctx } = input;
  const { financeContextProvider: finance, clock, logger } = deps;
  using limit = withDeadline(parent, TIMEOUT_MS, clock, () => new Error('no answer within 3 s'));
  const { signal } = limit;
  const unavailable: string[] = [];

  /** Undefined for a missing or failed source. */
  const load = async <T>(name: string, ask: () => Promise<T> | undefined): Promise<T | undefined> => {
    try {
      const source = ask();
      return source && (await raceAbort(source, signal, clock, 0));
    } catch (error) {
      parent.throwIfAborted();
      unavailable.push(name);
      logger.warn('A context source is unavailable', { source: name, error });
      return undefined;
    }
  };

  const history = readEarlier(ctx, channel, signal);
  /** For a thread's first turn: the stored parent conversation and the root message, which may fail separately. */
  const open = async (): Promise<ThreadOpening | undefined> => {
    const opening = await deps.openingOf(ctx);
    if (!opening?.isRootUnknown) return opening;
    const root = await load('message that the thread hangs on', () =>
      rootOf(ctx, opening, channel, history, deps, signal),
    );
    return root ? withRoot(opening, root) : opening;
  };

  const isPersonal = isPrivate(input);
  const person = { channelId: ctx.channelId, userId: ctx.senderId };
  const [
    attachments,
    marketSession,
    newsContext,
    activeAlerts,
    portfolioSnapshot,
    watchlist,
    earlier,
    opening,
  ] = await Promise.all([
    readAttachments(ctx.media ?? [], channel, deps, parent),
    load('market session', () => finance.getMarketSession?.(signal)),
    load('news', () => finance.getRecentNews?.(signal)),
    load('alerts', () => (isPersonal ? finance.getActiveAlerts?.(person, signal) : undefined)),
    load('portfolio', () => (isPersonal ? finance.getPortfolio?.(person, signal) : undefined)),
    load('watchlist', () => (isPersonal ? finance.getWatchlist?.(person, signal) : undefined)),
    load('earlier messages', () => history?.then((read) => newMessages(ctx, read, deps))),
    load('parent conversation', open),
  ]);
  return {
    ...plainContext(input, channel, deps),
    unavailable,
    attachments: [...attachments, ...recordings],
    ...(marketSession && { marketSession }),
    ...(newsContext && { newsContext }),
    ...(activeAlerts && { activeAlerts }),
    ...(portfolioSnapshot !== undefined && { portfolioSnapshot }),
    ...(watchlist && { watchlist }),
    ...(earlier && earlier.length > 0 && { earlier }),
    ...(opening && { opening }),
  };
};

interface ContextStageDeps extends Omit<EnrichContextDeps, 'readPdf' | 'takePicture' | 'owner'> {
  readonly storedToday: Pick<DailyBytes, 'takePicture'>;
  /** Absent: recordings are not heard. */
  readonly voice?: HearDeps & { readonly delivery: Delivery };
}

/** Adds market data, attachments, earlier messages and account data to the message, and the words of recordings. */
export const context = (deps: ContextStageDeps): PipelineStage<Acknowledged, Enriched> => {
  // Shared by all messages, so that the limit applies to all of them together.
  const readPdfOf = createReadPdf(deps);
  return {
    name: 'context',
    isRepeatable: true,
    execute: async (received, signal) => {
      try {
        const { channel } = received;
        const hearing = deps.voice && (await hearRecordings(received.ctx, channel, deps.voice, signal));
        if (deps.voice && hearing?.kind === 'told') {
          const ctx = { ...received.ctx, locale: hearing.locale };
          const report = await deps.voice.delivery.deliver(ctx, { text: hearing.text }, channel, signal);
          const failure = deliveryFailure(report);
          return failure
            ? StageResult.abort(failure.message, failure)
            : StageResult.skip('a recording that asks nothing');
        }
        const { ctx = received.ctx, attachments = [] } = hearing?.kind === 'heard' ? hearing : {};
        const input = { ...received, ctx };
        const person = { channelId: ctx.channelId, userId: ctx.senderId };
        const owner = personKey(person);
        const takePicture: TakePicture = (chars) => deps.storedToday.takePicture(person, chars);
        const ofPerson = { ...deps, readPdf: readPdfOf(owner), takePicture, owner };
        const enriched = await enrichContext(input, channel, ofPerson, signal, attachments);
        return StageResult.continue({ ...input, enriched });
      } catch (cause) {
        signal.throwIfAborted();
        throw new PipelineError(`No context: ${errorMessage(cause)}`, 'CONTEXT_BUILD_FAILED', { cause });
      }
    },
    // The question can be answered without the context; the model is told what is missing.
    degrade: (input) => ({ ...input, enriched: plainContext(input, input.channel, deps) }),
  };
};

/**
 * Only for a mention in a group: in a thread with the bot the conversation already has the messages, and an interaction
 * has no message before it.
 */
const wantsEarlier = (
  { mentionsBot, chatType, interaction }: TurnContext,
  { readHistory }: Pick<ChannelPlugin, 'readHistory'>,
): boolean => readHistory !== undefined && mentionsBot && chatType !== 'direct' && interaction === undefined;

/** The platform's messages before a mention. Undefined if they are not needed. */
const readEarlier = (
  ctx: TurnContext,
  channel: Pick<ChannelPlugin, 'readHistory'>,
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> | undefined =>
  wantsEarlier(ctx, channel)
    ? channel.readHistory?.(
        {
          target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
          before: ctx.messageId,
          ...(ctx.replyToMessageId ? { replyToMessageId: ctx.replyToMessageId } : {}),
          limit: EARLIER_MESSAGES,
        },
        signal,
      )
    : undefined;

interface EarlierDeps {
  readonly registry: Pick<CommandRegistry, 'commandIn'>;
  readonly markup: Pick<MarkupReader, 'readable'>;
}

/** Commands to the bot are not quoted, since their answers may have been for their senders only. */
const isQuotable = (
  { text, typed, isOurs }: EarlierMessage,
  { commandIn }: Pick<CommandRegistry, 'commandIn'>,
): boolean => text.trim() !== '' && (isOurs || commandIn(typed ?? text) === null);

/** The message for the model: without keys, and with times in the person's zone. */
const asQuoted = (
  { typed: _typed, ...message }: EarlierMessage,
  { timeZone }: TurnContext,
  { readable }: Pick<MarkupReader, 'readable'>,
): EarlierMessage => ({
  ...message,
  text: withoutKeys(readable(message.text, timeZone)),
});

/**
 * The messages after the bot's own newest one, because the conversation has the earlier ones. The message that the person
 * replies to is always included. Some platforms report a thread's first message as the one replied to; that does not
 * count.
 */
const newMessages = (
  ctx: TurnContext,
  history: readonly EarlierMessage[],
  { registry, markup }: EarlierDeps,
): readonly EarlierMessage[] => {
  const { messageId, merged, replyToMessageId, messageThreadId } = ctx;
  const ofThisTurn = new Set([messageId, ...merged.map((each) => each.messageId)]);
  const others = history.filter((each) => !ofThisTurn.has(each.messageId));
  const isRepliedTo = (each: EarlierMessage): boolean =>
    each.messageId === replyToMessageId && each.messageId !== (messageThreadId as string | undefined);
  const lastOurs = others.findLastIndex(
    ({ isOurs, isAside, text }) => isOurs && !isAside && text.trim() !== '',
  );
  const wanted = others.filter(
    (each, index) => (index > lastOurs || isRepliedTo(each)) && isQuotable(each, registry),
  );
  return wanted
    .filter((each, index) => index >= wanted.length - EARLIER_MESSAGES || isRepliedTo(each))
    .map((each) => asQuoted(each, ctx, markup));
};

/** The thread's root message, from the history or read from the platform. */
const rootOf = async (
  ctx: TurnContext,
  { erasedAt }: ThreadOpening,
  channel: Pick<ChannelPlugin, 'capabilities' | 'readRoot'>,
  history: Promise<readonly EarlierMessage[]> | undefined,
  { registry, markup }: EarlierDeps,
  signal: AbortSignal,
): Promise<EarlierMessage | undefined> => {
  const read = () => channel.readRoot?.(replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }), signal);
  const ahead = channel.capabilities.keepsRootsApart ? read() : undefined;
  // Nobody awaits it if the history has the root.
  ahead?.catch(() => undefined);
  const listed = (await history?.catch(() => [])) ?? [];
  const root =
    listed.find(({ messageId }) => messageId === (ctx.messageThreadId as string | undefined)) ??
    (await (ahead ?? read()));
  const isErased = erasedAt !== undefined && root && Temporal.Instant.compare(root.at, erasedAt) <= 0;
  return root && !isErased && isQuotable(root, registry)
    ? { ...asQuoted(root, ctx, markup), root: 'itself' }
    : undefined;
};

/** Platforms mark up the same words differently, so only letters and digits are compared. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * The bot's answer that was posted as this message. The program adds notes to the model's text, so the answer must be
 * most of the message, but not all of it.
 */
const answerPostedAs = (
  root: EarlierMessage,
  messages: readonly EarlierMessage[],
): EarlierMessage | undefined => {
  if (!root.isOurs) return undefined;
  const posted = lettersOf(root.text);
  return messages.findLast(({ isOurs, text }) => {
    const letters = lettersOf(text);
    return isOurs && letters.length * 2 > posted.length && posted.includes(letters);
  });
};

/**
 * Adds the root message. If it is an answer in the parent's turns, that turn is marked instead: Slack does not report the
 * id of the answer to a slash command.
 */
export const withRoot = (opening: ThreadOpening, root: EarlierMessage): ThreadOpening => {
  const { messages, known } = opening;
  const twin = answerPostedAs(root, messages);
  return {
    ...opening,
    messages: twin
      ? messages.map((each) => (each === twin ? { ...each, root: 'itself' } : each))
      : [root, ...messages].toSorted((a, b) => Temporal.Instant.compare(a.at, b.at)),
    known: [...known, root.messageId],
  };
};
