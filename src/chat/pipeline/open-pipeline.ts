import type { ExecutionAdapter, OpeningOf, ReceiptsOf } from '#src/kernel/agent/execution.ts';
import type { FinanceContextProvider } from '#src/kernel/market/finance.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/kernel/chat/guild-settings.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { MarketQuery } from '#src/kernel/chat/answer.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import type { Transcriber } from '#src/kernel/agent/transcription.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import type { MediaMemory } from '#src/platform/files/media-memory.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createInboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createLiveMessages } from '#src/chat/store/live-messages.ts';
import { createOutbox } from '#src/chat/store/outbox.ts';
import { createPrivacyNotes } from '#src/people/store/privacy-notes.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import type { Uses } from '#src/platform/services.ts';
import type { HearDeps } from './attachments/hear-recordings.ts';
import { createAttachQuotes } from '../delivery/attach-quotes.ts';
import type { CommandRegistry } from '../commands/command-registry.ts';
import { createDelivery, type PrivacyNote, type Welcome } from '../delivery/delivery.ts';
import {
  createLiveAnswers,
  type LiveAnswersDeps,
  liveModeOf,
  type LiveSettings,
} from '../delivery/live-answers.ts';
import { combineObservers, createEventObserver, type PipelineObserver } from './observer.ts';
import { AutoReplyPipeline, type PipelineDependencies } from './pipeline.ts';
import { normalize } from './1-normalize.ts';
import type { NormalizeText } from '../commands/normalize-text.ts';
import { command } from './2-command.ts';
import type { AckDeps } from '../delivery/acknowledgement.ts';
import { ack } from './3-ack.ts';
import { context } from './4-context.ts';
import { execute, type ExecuteDeps } from './5-execute.ts';
import { deliver, type FeedbackSettings } from './6-deliver.ts';

export interface PipelineConfig {
  readonly pipeline: {
    readonly enableAck: boolean;
    readonly maxResponseLength: number;
    readonly timeoutSeconds: number;
    readonly privacyNote: boolean;
  };
  readonly retentionDays: number;
  readonly gates: { readonly maxMessageChars: number };
  readonly live: LiveSettings;
  readonly feedback: FeedbackSettings;
}

interface OpenPipelineDeps
  extends
    Pick<PipelineDependencies, 'channelOf' | 'hooks'>,
    Uses<'clock' | 'events' | 'guildSettings.of' | 'logger' | 'profiles.get' | 'symbols'> {
  readonly settings: PipelineConfig;
  readonly storage: Storage;
  readonly files: Pick<SentFiles, 'bring'>;
  readonly adapter: ExecutionAdapter;
  readonly budget: ExecuteDeps['budget'];
  readonly receiptsOf: ReceiptsOf;
  readonly openingOf: OpeningOf;
  readonly transcriber: Transcriber;
  readonly media: MediaMemory;
  readonly storedToday: DailyBytes;
  readonly answersRequest: HearDeps['answersRequest'];
  readonly approvals: { readonly giveUp: HearDeps['giveUp'] };
  readonly context: { readonly locale: LocaleRule };
  readonly registry: Pick<CommandRegistry, 'commandIn' | 'execute'>;
  readonly contextProvider: FinanceContextProvider;
  readonly markets: { readonly quotes: MarketQuery<readonly string[]> };
  readonly markup: Pick<MarkupReader, 'readable'>;
  readonly normalizeText: NormalizeText;
  readonly awaitInput: (ctx: TurnContext) => Promise<void>;
  /** Undefined: nobody is welcomed. */
  readonly welcome: Welcome | undefined;
  readonly describeTool: LiveAnswersDeps['describeTool'];
  readonly recentRuns: PipelineObserver;
}

const personOf = ({ channelId, senderId }: TurnContext): string => `${channelId} ${senderId}`;

const privacyNoteFor = ({ storage, settings }: OpenPipelineDeps): PrivacyNote | undefined => {
  if (!settings.pipeline.privacyNote) return undefined;
  const notes = createPrivacyNotes(storage);
  const days = settings.retentionDays;
  /** People whose answer with the note is not stored yet, so that a concurrent answer does not repeat it. */
  const claimed = new Set<string>();
  return {
    claim: async (ctx) => {
      const { chatType, channelId, senderId } = ctx;
      if (chatType !== 'direct') return false;
      if ((await notes.isTold(channelId, senderId)) || claimed.has(personOf(ctx))) return false;
      claimed.add(personOf(ctx));
      return true;
    },
    release: (ctx) => void claimed.delete(personOf(ctx)),
    text: ({ locale }) => privacyTexts(locale).note({ days }),
    record:
      ({ channelId, senderId }, at) =>
      async (tx) => {
        await notes.tell(tx, channelId, senderId, at);
      },
  };
};

const hearingFor = (deps: OpenPipelineDeps): HearDeps => {
  const { storage, profiles, settings, approvals } = deps;
  return {
    ...deps,
    maxMessageChars: settings.gates.maxMessageChars,
    keepWords: createInboxChanges(storage).keepWords,
    isBegun: createTurns(storage).isBegun,
    giveUp: approvals.giveUp,
    languageOf: async (ctx, words) => {
      const { locale } = await profiles.get(ctx.channelId, ctx.senderId);
      return locale ?? detectLocale(words, ctx.locale, fixedLocaleIn(ctx, deps.context.locale));
    },
  };
};

/** Creates the pipeline of six stages, from an accepted message to its answer. */
export const openPipeline = (deps: OpenPipelineDeps): AutoReplyPipeline => {
  const { settings, storage, files, registry, channelOf, guildSettings, clock, events, logger } = deps;
  const { maxResponseLength, enableAck, timeoutSeconds } = settings.pipeline;
  const modeOf: LiveAnswersDeps['modeOf'] = (ctx) => {
    const { liveMode } = channelOf(ctx.channelId).capabilities;
    return liveModeOf(settings.live, guildSettings.of(ctx.channelId, ctx.guildId), ctx, liveMode);
  };
  const live = createLiveAnswers({
    store: createLiveMessages(storage),
    modeOf,
    describeTool: deps.describeTool,
    clock,
    logger,
  });
  const delivery = createDelivery({
    outbox: createOutbox(storage),
    files,
    privacyNote: privacyNoteFor(deps),
    welcome: deps.welcome,
    maxResponseLength,
    shownLive: live.messageOf,
    storedToday: deps.storedToday,
    clock,
    events,
  });
  const ackDeps: AckDeps = { enableAck, showsTyping: (ctx) => modeOf(ctx) !== 'off' };
  return new AutoReplyPipeline({
    stages: [
      normalize(deps.normalizeText),
      command({ registry, delivery, clock, ack: ackDeps }),
      ack(ackDeps),
      context({
        ...deps,
        financeContextProvider: deps.contextProvider,
        voice: { ...hearingFor(deps), delivery },
      }),
      execute({ ...deps, live, attachQuotes: createAttachQuotes(deps) }),
      deliver({ delivery, feedback: settings.feedback }),
    ],
    delivery,
    live,
    channelOf,
    observer: combineObservers(
      (error) => logger.error('An observer of the pipeline failed', { error }),
      createEventObserver(events, logger),
      deps.recentRuns,
    ),
    hooks: deps.hooks,
    receiptsOf: deps.receiptsOf,
    isBegun: createTurns(storage).isBegun,
    timeoutMs: timeoutSeconds * 1_000,
    enableAck,
    clock,
    logger,
  });
};
