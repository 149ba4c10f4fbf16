import type { ExecutionAdapter, OpeningOf } from '#src/kernel/execution.ts';
import type { Events } from '#src/kernel/events.ts';
import type { FinanceContextProvider, SymbolSearch } from '#src/kernel/finance.ts';
import { fixedLocaleIn, type LocaleRule } from '#src/kernel/guild-settings.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { privacyMessages } from '#src/kernel/messages/privacy.ts';
import type { MarketQuery } from '#src/kernel/market-queries.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { MarkupReader } from '#src/kernel/platform-markup.ts';
import type { Profiles } from '#src/kernel/ports.ts';
import type { Transcriber } from '#src/kernel/transcription.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createInboxChanges } from '#src/platform/storage/messages/inbox-changes.ts';
import { createLiveMessages } from '#src/platform/storage/messages/live-messages.ts';
import { createOutbox } from '#src/platform/storage/messages/outbox.ts';
import { createPrivacyNotes } from '#src/platform/storage/accounts/privacy-notes.ts';
import { createTurns } from '#src/platform/storage/messages/turns.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import type { HearDeps } from './attachments/hear-recordings.ts';
import { createAttachQuotes } from '../reply/attach-quotes.ts';
import type { CommandRegistry } from './command-registry.ts';
import { createDelivery, type PrivacyNote, type Welcome } from '../reply/delivery.ts';
import { createLiveAnswers, type LiveAnswersDeps } from '../reply/live-answers.ts';
import { combineObservers, createEventObserver, type PipelineObserver } from './observer.ts';
import { AutoReplyPipeline, type PipelineDependencies } from './pipeline.ts';
import { normalize, type NormalizeText } from './1-normalize.ts';
import { command } from './2-command.ts';
import { ack, type AckDeps } from './3-ack.ts';
import { context } from './4-context.ts';
import { execute } from './5-execute.ts';
import { deliver } from './6-deliver.ts';

export interface PipelineConfig {
  readonly enableAck: boolean;
  readonly maxResponseLength: number;
  readonly timeoutSeconds: number;
  readonly privacyNote: boolean;
  readonly retentionDays: number;
  readonly maxMessageChars: number;
}

export interface OpenPipelineDeps extends Pick<PipelineDependencies, 'channelOf' | 'hooks'> {
  readonly settings: PipelineConfig;
  readonly storage: Storage;
  readonly files: Pick<SentFiles, 'bring'>;
  readonly adapter: ExecutionAdapter;
  readonly openingOf: OpeningOf;
  readonly transcriber: Transcriber;
  readonly answersRequest: HearDeps['answersRequest'];
  readonly approvals: { readonly giveUp: HearDeps['giveUp'] };
  readonly profiles: Pick<Profiles, 'get'>;
  readonly context: { readonly locale: LocaleRule };
  readonly registry: Pick<CommandRegistry, 'commandIn' | 'execute'>;
  readonly financeContextProvider: FinanceContextProvider;
  readonly markets: { readonly quotes: MarketQuery<readonly string[]> };
  readonly symbols: SymbolSearch;
  readonly markup: Pick<MarkupReader, 'readable'>;
  readonly normalizeText: NormalizeText;
  readonly awaitInput: (ctx: MsgContext) => Promise<void>;
  readonly liveModeOf: LiveAnswersDeps['modeOf'];
  /** Undefined: nobody is welcomed. */
  readonly welcome: Welcome | undefined;
  readonly asksFeedback: (ctx: MsgContext) => boolean;
  readonly describeTool: LiveAnswersDeps['describeTool'];
  readonly recentRuns: PipelineObserver;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

const personOf = ({ channelId, senderId }: MsgContext): string => `${channelId} ${senderId}`;

/** The person at the terminal owns the data directory and needs no note. */
const privacyNoteFor = ({ storage, settings }: OpenPipelineDeps): PrivacyNote | undefined => {
  if (!settings.privacyNote) return undefined;
  const notes = createPrivacyNotes(storage);
  const days = settings.retentionDays;
  /** People whose answer with the note is not stored yet, so that a concurrent answer does not repeat it. */
  const claimed = new Set<string>();
  return {
    claim: async (ctx) => {
      const { chatType, channelId, senderId } = ctx;
      if (chatType !== 'direct' || channelId === 'console') return false;
      if ((await notes.isTold(channelId, senderId)) || claimed.has(personOf(ctx))) return false;
      claimed.add(personOf(ctx));
      return true;
    },
    release: (ctx) => void claimed.delete(personOf(ctx)),
    text: ({ locale }) => privacyMessages(locale).note({ days }),
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
    maxMessageChars: settings.maxMessageChars,
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
  const { settings, storage, files, registry, clock, events, logger } = deps;
  const { maxResponseLength } = settings;
  const live = createLiveAnswers({
    store: createLiveMessages(storage),
    modeOf: deps.liveModeOf,
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
    clock,
    events,
  });
  const { enableAck } = settings;
  const signs: AckDeps = { enableAck, showsTyping: (ctx) => deps.liveModeOf(ctx) !== 'off' };
  return new AutoReplyPipeline({
    stages: [
      normalize(deps.normalizeText),
      command({ registry, delivery, clock, ack: signs }),
      ack(signs),
      context({ ...deps, voice: { ...hearingFor(deps), delivery } }),
      execute({ ...deps, live, attachQuotes: createAttachQuotes(deps) }),
      deliver({ delivery, asksFeedback: deps.asksFeedback }),
    ],
    delivery,
    live,
    channelOf: deps.channelOf,
    observer: combineObservers(
      (error) => logger.error('An observer of the pipeline failed', { error }),
      createEventObserver(events, logger),
      deps.recentRuns,
    ),
    hooks: deps.hooks,
    isBegun: createTurns(storage).isBegun,
    timeoutMs: settings.timeoutSeconds * 1_000,
    enableAck,
    clock,
    logger,
  });
};
