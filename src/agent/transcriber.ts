import { personKey } from '#src/kernel/ids.ts';
import { errorMessage, NoAnswerError } from '#src/kernel/errors.ts';
import { NO_USAGE, type TokenUsage } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Recording, Speaker, Transcriber, Transcription } from '#src/kernel/agent/transcription.ts';
import type { Uses } from '#src/platform/services.ts';
import { FailoverError, type FallbackReason, wasTurnedAway } from './errors.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { CATALOG_AS_OF } from './models/catalog-data.ts';
import type { ModelEntry, ModelPricing } from './models/catalog.ts';
import { calculateEstimatedCost } from './models/cost.ts';
import { type FallbackKey, runWithModelFallback } from './models/fallback.ts';
import type { ResolvedModel } from './models/resolve-model.ts';
import type { TranscriptionAnswer } from './providers/adapter.ts';
import type { Providers } from './providers/providers.ts';
import { type Budget, overBudget, type Reservation } from './usage/budget.ts';

export interface VoiceSettings {
  /** Undefined: the default, where OpenAI itself is asked. A compatible server may have none. */
  readonly model: string | undefined;
  readonly maxSeconds: number;
}

interface TranscriberDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly settings: VoiceSettings;
  readonly api: 'responses' | 'chat';
  readonly providers: Pick<Providers, 'adapterFor' | 'limitOf' | 'breakerOf'>;
  readonly keys: KeyRing;
  readonly budget: Pick<Budget, 'reserve'>;
  readonly maxRetriesPerKey: number;
  readonly fallbackOn: readonly FallbackReason[];
}

const DEFAULT_MODEL = 'gpt-4o-mini-transcribe';
/** From OpenAI's model pages. Audio and words are both counted in tokens. */
const PRICES: Readonly<Record<string, ModelPricing>> = {
  [DEFAULT_MODEL]: { inputPerMillion: 1.25, outputPerMillion: 5 },
  'gpt-4o-transcribe': { inputPerMillion: 2.5, outputPerMillion: 10 },
};
/** A second of sound is ten tokens. */
const TOKENS_PER_SECOND = 10;
/** The models refuse longer recordings. */
const LONGEST_SECONDS = 1_500;
/** Of the smallest recordings that can still be understood. */
const MIN_BYTES_PER_SECOND = 750;
/** Words beyond it are left out without notice, so an answer of this length counts as too long. */
const MAX_OUTPUT_TOKENS = 2_000;
const MAX_ATTEMPTS = 4;
const RETRY_BASE_DELAY_MS = 1_000;
const NOTHING = new Decimal(0);

/** Not in the catalog, because it cannot answer a question. */
const entryOf = (id: string): ModelEntry => ({
  id,
  provider: 'openai',
  displayName: id,
  contextWindow: 16_000,
  maxOutputTokens: MAX_OUTPUT_TOKENS,
  capabilities: {
    vision: false,
    functionCalling: false,
    streaming: false,
    extendedThinking: false,
    temperature: false,
    numericalReasoningTier: 'low',
  },
  pricing: PRICES[id] ?? null,
  aliases: [],
  deprecated: false,
  asOf: CATALOG_AS_OF,
});

/** Of the longest recording that these bytes can hold: whoever sends it says how long it is, and can say anything. */
const inputTokensOf = ({ sound, durationSeconds = 0 }: Recording): number => {
  const seconds = Math.max(durationSeconds, sound.size / MIN_BYTES_PER_SECOND);
  return Math.ceil(Math.min(seconds, LONGEST_SECONDS) * TOKENS_PER_SECOND);
};

const isAboutLength = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.some(isAboutLength)
    : error instanceof FailoverError && error.fallbackReason === 'context-overflow';

/** The usage that the server reports, or else the most that the recording can cost: also if the request was stopped after it was sent. */
const usedFor = (
  recording: Recording,
  answer: TranscriptionAnswer | undefined,
  failure: unknown,
): TokenUsage => {
  if (answer?.usage) return answer.usage;
  return wasTurnedAway(failure) ? NO_USAGE : { ...NO_USAGE, inputTokens: inputTokensOf(recording) };
};

const read = ({ text, usage }: TranscriptionAnswer): Transcription => {
  const words = text.trim();
  // For silence, the models return nothing, or punctuation alone.
  if (!/[\p{L}\p{N}]/u.test(words)) return { status: 'silent' };
  return (usage?.outputTokens ?? 0) >= MAX_OUTPUT_TOKENS
    ? { status: 'too-long' }
    : { status: 'heard', words };
};

/** The model that transcribes. Undefined: a compatible server has none of its own. */
const modelOf = ({ settings, api }: Pick<TranscriberDeps, 'settings' | 'api'>): string | undefined =>
  settings.model ?? (api === 'responses' ? DEFAULT_MODEL : undefined);

/** Whether there is a model and a key for it. */
export const canTranscribe = (
  deps: Pick<TranscriberDeps, 'settings' | 'api'>,
  keys: Pick<KeyRing, 'hasKey'>,
): boolean => modelOf(deps) !== undefined && keys.hasKey('openai');

/** Transcribes with OpenAI or a compatible server. Every request is booked like one of an answering model. */
export const createTranscriber = (deps: TranscriberDeps): Transcriber => {
  const { settings, providers, keys, clock, events, logger } = deps;
  const name = modelOf(deps);

  const reserve = async (
    speaker: Speaker,
    { modelId, entry: { pricing } }: ResolvedModel,
    { profileId }: FallbackKey,
    recording: Recording,
    signal: AbortSignal,
  ): Promise<Reservation> => {
    const inputTokens = inputTokensOf(recording);
    const most = { ...NO_USAGE, inputTokens, outputTokens: MAX_OUTPUT_TOKENS };
    const outcome = await deps.budget.reserve(
      {
        ...speaker,
        provider: 'openai',
        model: modelId,
        profileId,
        inputTokens,
        inputUsd: calculateEstimatedCost({ ...NO_USAGE, inputTokens }, pricing),
        mostUsd: calculateEstimatedCost(most, pricing) ?? NOTHING,
      },
      signal,
    );
    if (outcome.verdict === 'reserved') return outcome.reservation;
    throw overBudget(outcome, clock.now());
  };

  const ask = async (
    model: ResolvedModel,
    key: FallbackKey,
    recording: Recording,
    speaker: Speaker,
    signal: AbortSignal,
  ): Promise<TranscriptionAnswer> => {
    const adapter = await providers.adapterFor('openai', key.apiKey);
    const reservation = await reserve(speaker, model, key, recording, signal);
    let release: () => void;
    try {
      release = await providers.limitOf('openai').acquire(personKey(speaker), signal);
    } catch (error) {
      await reservation.cancel();
      throw error;
    }
    const startedAtMs = clock.monotonicMs();
    let answer: TranscriptionAnswer | undefined;
    let failure: unknown;
    try {
      if (!adapter.transcribe) throw new FailoverError('No transcription here', 'model-unavailable');
      // The name comes from us: that of the person could be anything.
      const fileName = `voice.${recording.format}`;
      answer = await adapter.transcribe({ model: model.modelId, sound: recording.sound, fileName }, signal);
      return answer;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      release();
      const outcome = answer ? 'ok' : 'failed';
      const used = usedFor(recording, answer, failure);
      const costUsd = calculateEstimatedCost(used, model.entry.pricing);
      const ids = answer?.ids ?? {};
      events.emit('model:request', {
        inboxId: speaker.inboxId,
        provider: 'openai',
        model: model.modelId,
        outcome: signal.aborted ? 'aborted' : outcome,
        durationMs: clock.monotonicMs() - startedAtMs,
        ...used,
        ...(costUsd === null ? {} : { costUsd: costUsd.toNumber() }),
        ...ids,
      });
      void reservation.settle(signal.aborted ? 'ok' : outcome, used, costUsd, ids);
    }
  };

  return {
    maxSeconds: settings.maxSeconds,
    isReady: () => canTranscribe(deps, keys),
    transcribe: async (recording, speaker, signal) => {
      if (name === undefined) return { status: 'failed' };
      const entry = entryOf(name);
      const config = {
        models: [{ entry, provider: entry.provider, modelId: name, resolvedFrom: 'id' } as const],
        maxRetriesPerKey: deps.maxRetriesPerKey,
        retryBaseDelayMs: RETRY_BASE_DELAY_MS,
        fallbackOn: deps.fallbackOn,
        maxAttempts: MAX_ATTEMPTS,
        failures: { left: MAX_ATTEMPTS },
        sessionKey: speaker.sessionKey,
      };
      try {
        const { result } = await runWithModelFallback(
          config,
          (model, key) => ask(model, key, recording, speaker, signal),
          { keys, breakerOf: providers.breakerOf, clock, events },
          signal,
        );
        return read(result);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NoAnswerError) throw error;
        if (isAboutLength(error)) return { status: 'too-long' };
        logger.warn('A recording could not be transcribed', { model: name, error: errorMessage(error) });
        return { status: 'failed' };
      }
    },
  };
};
