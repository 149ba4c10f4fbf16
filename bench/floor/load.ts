/** What the bench and the process of a fake platform tell each other. */
export interface PlatformSettings {
  readonly platform: PlatformName;
  readonly places: number;
  /** What every call of the bot takes. */
  readonly callDelayMs: number;
}

export type PlatformName = 'slack' | 'discord';

/** Questions in threads, one after the other through all of them. */
export interface Load {
  readonly questions: number;
  readonly text: string;
  /** So many are unanswered at any time … */
  readonly atOnce?: number;
  /** … or one is asked in every interval, answered or not. */
  readonly everyMs?: number;
  /** The first place to ask in: a round must not ask where the last answer of the one before is fresh. */
  readonly firstPlace?: number;
}

export interface LoadResult {
  /** From the first question to the last visible answer. */
  readonly elapsedMs: number;
  /** From the event to the visible answer. */
  readonly latenciesMs: readonly number[];
  /** Of the bot, by method, until nothing more came. */
  readonly calls: Readonly<Record<string, number>>;
}
