import { personKey } from '#src/kernel/ids.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
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
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { MediaMemory } from '#src/platform/files/media-memory.ts';
import { hearRecordings, type HearDeps } from './attachments/hear-recordings.ts';
import { readAttachments, type TakePicture } from './attachments/read-attachments.ts';
import { createReadPdf, type ReadPdf } from './attachments/read-pdf.ts';
import {
  type EarlierDeps,
  newMessages,
  readEarlier,
  rootOf,
  wantsEarlier,
  withRoot,
} from './earlier-messages.ts';
import { type Delivery, deliveryFailure } from '../delivery/delivery.ts';
import { PipelineError } from '../delivery/errors.ts';
import type { Acknowledged, Enriched, Normalized } from './stage-types.ts';

export interface EnrichContextDeps extends EarlierDeps {
  readonly financeContextProvider: FinanceContextProvider;
  readonly readPdf: ReadPdf;
  readonly takePicture: TakePicture;
  readonly owner: string;
  readonly media: MediaMemory;
  readonly openingOf: OpeningOf;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
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

export interface ContextStageDeps extends Omit<EnrichContextDeps, 'readPdf' | 'takePicture' | 'owner'> {
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
