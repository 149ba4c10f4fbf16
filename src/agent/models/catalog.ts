import { FinClawError } from '#src/kernel/errors.ts';
import type { NumericalTier, ProviderId } from '#src/kernel/model.ts';

/** How far a model's sums can be trusted, the least first. */
const NUMERICAL_TIERS = ['low', 'medium', 'high'] as const satisfies readonly NumericalTier[];

export interface ModelCapabilities {
  readonly vision: boolean;
  readonly functionCalling: boolean;
  readonly streaming: boolean;
  readonly extendedThinking: boolean;
  /** It takes a temperature. Claude and the reasoning models of OpenAI refuse one. */
  readonly temperature: boolean;
  /** How far its sums can be trusted. Orders automatic fallbacks; an answer of a lower one than chosen says so. */
  readonly numericalReasoningTier: NumericalTier;
}

/** US dollars for a million tokens. */
export interface ModelPricing {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cacheReadPerMillion?: number | undefined;
  /** Of an entry that lives five minutes. */
  readonly cacheWritePerMillion?: number | undefined;
  /** Long requests cost more, and all of the request does: not only what is above the line. */
  readonly tier?: {
    readonly aboveInputTokens: number;
    readonly multiplier: number;
    /** Where the output rises by another factor than the input. */
    readonly outputMultiplier?: number;
  };
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of the OpenAI protocol. */
  readonly api: 'responses' | 'chat';
}

export interface ModelEntry {
  readonly id: string;
  readonly provider: ProviderId;
  readonly displayName: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly capabilities: ModelCapabilities;
  /** Null where the price is not known: its cost is then unknown too, never zero. */
  readonly pricing: ModelPricing | null;
  readonly aliases: readonly string[];
  readonly deprecated: boolean;
  /** ISO date of the day on which the provider stops serving it. */
  readonly endOfLife?: string;
  /** ISO date on which the price was looked up. */
  readonly asOf: string;
  /** The server of a model that its provider does not serve, with its own key. */
  readonly server?: ModelServer;
  /** It decides itself how long it thinks: thinking cannot be set or turned off. */
  readonly thinking?: 'adaptive';
}

const tierOf = ({ capabilities }: ModelEntry): number =>
  NUMERICAL_TIERS.indexOf(capabilities.numericalReasoningTier);

export const countsWorse = (entry: ModelEntry, than: ModelEntry): boolean => tierOf(entry) < tierOf(than);

/** For sorting: the best with numbers first. */
export const byNumericalTier = (one: ModelEntry, other: ModelEntry): number => tierOf(other) - tierOf(one);

/** The models we know, in the order in which they were registered. */
export interface ModelCatalog {
  readonly listModels: () => readonly ModelEntry[];
  /** By exact id; names that people type go through `resolveModel`. */
  readonly getModel: (id: string) => ModelEntry | undefined;
  readonly getModelsByProvider: (provider: ProviderId) => readonly ModelEntry[];
  /** Those with exactly these capabilities; what the filter leaves out may be either way. */
  readonly findModels: (filter: Partial<ModelCapabilities>) => readonly ModelEntry[];
  /** Throws `MODEL_EXISTS`: a model is never replaced behind the back of those who chose it. */
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
 * What the operator should know about the models in use, one sentence a model: it ended, it ends within 90
 * days, or it is deprecated. The day on which a model ends counts as ended.
 */
export const lifecycleWarnings = (
  entries: readonly ModelEntry[],
  today: Temporal.PlainDate,
): readonly string[] =>
  [...new Set(entries)].map((entry) => warningFor(entry, today)).filter((warning) => warning !== undefined);
