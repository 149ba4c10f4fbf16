import { FinClawError } from '#src/kernel/errors.ts';
import type { NumericalTier, ProviderId } from '#src/kernel/agent/model.ts';

/** The levels of reliability with numbers, lowest first. */
const NUMERICAL_TIERS = ['low', 'medium', 'high'] as const satisfies readonly NumericalTier[];

export interface ModelCapabilities {
  readonly vision: boolean;
  readonly functionCalling: boolean;
  readonly streaming: boolean;
  readonly extendedThinking: boolean;
  /** Whether the model accepts a temperature. Claude and the reasoning models of OpenAI refuse one. */
  readonly temperature: boolean;
  /** Reliability with numbers. Orders automatic fallbacks; an answer of a lower tier than chosen says so. */
  readonly numericalReasoningTier: NumericalTier;
}

/** US dollars per million tokens. */
export interface ModelPricing {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cacheReadPerMillion?: number | undefined;
  /** Price of a cache entry with five minutes of lifetime. */
  readonly cacheWritePerMillion?: number | undefined;
  /** Above a threshold the whole request costs more, not only the part above it. */
  readonly tier?: {
    readonly aboveInputTokens: number;
    readonly multiplier: number;
    /** The output multiplier, if it differs from the input's. */
    readonly outputMultiplier?: number;
  };
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The variant of the OpenAI protocol. */
  readonly api: 'responses' | 'chat';
}

export interface ModelEntry {
  readonly id: string;
  readonly provider: ProviderId;
  readonly displayName: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly capabilities: ModelCapabilities;
  /** Null if the price is unknown: the cost is then unknown too, never zero. */
  readonly pricing: ModelPricing | null;
  readonly aliases: readonly string[];
  readonly deprecated: boolean;
  /** ISO date on which the provider stops serving the model. */
  readonly endOfLife?: string;
  /** ISO date on which the price was looked up. */
  readonly asOf: string;
  /** The server of a model that its provider does not serve, with its own key. */
  readonly server?: ModelServer;
  /** The model decides how long it thinks; thinking cannot be configured. */
  readonly thinking?: 'adaptive';
}

const tierOf = ({ capabilities }: ModelEntry): number =>
  NUMERICAL_TIERS.indexOf(capabilities.numericalReasoningTier);

export const countsWorse = (entry: ModelEntry, than: ModelEntry): boolean => tierOf(entry) < tierOf(than);

/** Sorts the most reliable with numbers first. */
export const byNumericalTier = (one: ModelEntry, other: ModelEntry): number => tierOf(other) - tierOf(one);

/** All known models, in order of registration. */
export interface ModelCatalog {
  readonly listModels: () => readonly ModelEntry[];
  /** Looks up by exact id; typed names go through `resolveModel`. */
  readonly getModel: (id: string) => ModelEntry | undefined;
  readonly getModelsByProvider: (provider: ProviderId) => readonly ModelEntry[];
  /** Models that match these capabilities; omitted ones match either way. */
  readonly findModels: (filter: Partial<ModelCapabilities>) => readonly ModelEntry[];
  /** Throws `MODEL_EXISTS`, because a model must not be replaced under those who chose it. */
  readonly registerModel: (entry: ModelEntry) => void;
}

export class InMemoryModelCatalog implements ModelCatalog {
  readonly #models = new Map<string, ModelEntry>();

  constructor(initialModels: readonly ModelEntry[] = []) {
    for (const model of initialModels) this.registerModel(model);
  }

  listModels(): readonly ModelEntry[] {
    return [...this.#models.values()];
  }

  getModel(id: string): ModelEntry | undefined {
    return this.#models.get(id);
  }

  getModelsByProvider(provider: ProviderId): readonly ModelEntry[] {
    return this.listModels().filter((model) => model.provider === provider);
  }

  findModels(filter: Partial<ModelCapabilities>): readonly ModelEntry[] {
    const wanted = Object.entries(filter) as readonly [keyof ModelCapabilities, unknown][];
    return this.listModels().filter(({ capabilities }) =>
      wanted.every(([name, value]) => capabilities[name] === value),
    );
  }

  registerModel(entry: ModelEntry): void {
    if (this.#models.has(entry.id))
      throw new FinClawError(`The model "${entry.id}" is in the catalog already`, 'MODEL_EXISTS', {
        statusCode: 409,
        details: { id: entry.id },
      });
    this.#models.set(entry.id, entry);
  }
}

const WARN_DAYS_BEFORE = 90;
const ADVICE = 'set FINCLAW_MODEL or FINCLAW_FALLBACKS to a current model';

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const warningFor = (entry: ModelEntry, today: Temporal.PlainDate): string | undefined => {
  const name = `The model ${entry.id}`;
  const end = entry.endOfLife;
  const daysLeft = end === undefined ? Infinity : today.until(end).days;
  if (daysLeft <= 0) return `${name} was shut down on ${end}: ${ADVICE}.`;
  if (daysLeft <= WARN_DAYS_BEFORE)
    return `${name} will be shut down on ${end}, in ${days(daysLeft)}: ${ADVICE}.`;
  if (!entry.deprecated) return undefined;
  return `${name} is deprecated${end === undefined ? '' : ` and will be shut down on ${end}`}: ${ADVICE}.`;
};

/**
 * Warnings about the models in use, one sentence each: shut down, to be shut down within 90 days, or
 * deprecated. The last day counts as shut down.
 */
export const lifecycleWarnings = (
  entries: readonly ModelEntry[],
  today: Temporal.PlainDate,
): readonly string[] =>
  [...new Set(entries)].map((entry) => warningFor(entry, today)).filter((warning) => warning !== undefined);
