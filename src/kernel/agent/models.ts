import type { AgentId, SessionKey } from '../ids.ts';
import type { NumericalTier, ProviderId } from './model.ts';
import type { Decimal } from '../money.ts';

/** A model as listed by `/model`. */
export interface ModelInfo {
  readonly id: string;
  readonly displayName: string;
  readonly provider: ProviderId;
  readonly aliases: readonly string[];
  readonly contextWindow: number;
  readonly numericalReasoningTier: NumericalTier;
  /** US dollars per million tokens; null if unknown. */
  readonly priceUsd: { readonly input: Decimal; readonly output: Decimal; readonly asOf: string } | null;
  readonly isDeprecated: boolean;
  readonly endOfLife?: string;
  /** False if no key for its provider is set. */
  readonly isUsable: boolean;
}

export type ModelSwitch =
  | { readonly status: 'switched'; readonly model: ModelInfo }
  | { readonly status: 'unknown'; readonly near: readonly string[] }
  | { readonly status: 'no-key'; readonly model: ModelInfo }
  /** The prompt and the tools leave no room for a conversation in its window. */
  | { readonly status: 'too-small'; readonly model: ModelInfo }
  /** It costs more than the configured model or is not on the operator's list. `choices` are allowed names. */
  | { readonly status: 'not-allowed'; readonly model: ModelInfo; readonly choices: readonly string[] };

/** Administrators may choose any model, others only those that the operator allows. */
export interface ModelChooser {
  readonly isAdmin: boolean;
}

/** Port: the model of a conversation. */
export interface Models {
  /** `isChosen`: chosen for this conversation; otherwise it is the configured model. */
  readonly current: (sessionKey: SessionKey) => Promise<{
    readonly model: ModelInfo;
    readonly isChosen: boolean;
    readonly fallbacks: readonly string[];
  }>;
  /** The models that this person can choose in a conversation with the agent. */
  readonly list: (who: ModelChooser, agentId: AgentId) => readonly ModelInfo[];
  /** `name` is an id or an alias. */
  readonly switchTo: (sessionKey: SessionKey, name: string, who: ModelChooser) => Promise<ModelSwitch>;
  /** Goes back to the configured model. */
  readonly useDefault: (sessionKey: SessionKey) => Promise<ModelInfo>;
}
