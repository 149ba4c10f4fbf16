/** What the bench and the process of a fake platform tell each other. */
export interface PlatformSettings {
  readonly platform: PlatformName;
  readonly places: number;
  /** In every place; they ask in turn. Default: one. */
  readonly people?: number;
  /** What every call of the bot takes, before people see what it does. */
  readonly callDelayMs: number;
  /** Default: threads of a channel, in which the bot is mentioned. */
  readonly kind?: 'direct';
  /** Of Discord alone. Default: as the real one. */
  readonly heartbeatIntervalMs?: number;
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
  /** Each begins a conversation of its own. On Slack alone. */
  readonly isNew?: boolean;
  /** A question without an answer is part of the result. Otherwise it fails the bench. */
  readonly mayStayUnanswered?: boolean;
}

/** One question, in milliseconds of the clock that all processes of a machine share. */
export interface Asked {
  /** Stands in the question and in its answer. */
  readonly tag: string;
  /** When it was to be asked: a platform that is late itself must not make the bot look fast. */
  readonly atMs: number;
  /** When a person saw the first sign of the bot: a reaction, a status, typing or the answer. */
  readonly signAtMs?: number;
  readonly answeredAtMs?: number;
}

export interface LoadResult {
  /** From the first question to the last visible answer. */
  readonly elapsedMs: number;
  /** From the event to the visible answer. */
  readonly latenciesMs: readonly number[];
  readonly asked: readonly Asked[];
  /** Of the bot, by method, until nothing more came. */
  readonly calls: Readonly<Record<string, number>>;
}

/** What people see after everything, whenever it came. */
export interface Census {
  readonly asked: number;
  /** Tags of questions without an answer. */
  readonly unanswered: readonly string[];
  /** Tags of questions with several answers. */
  readonly repeated: readonly string[];
  readonly heartbeats: number;
  /** Heartbeats of connections to Discord's gateway that were due and did not come. */
  readonly missedHeartbeats: number;
}

export type PlatformRequest = { readonly id: number } & (
  | { readonly load: Load }
  | { readonly wants: 'census' }
);

export type PlatformReply =
  | { readonly id: number; readonly result: LoadResult | Census }
  | { readonly id: number; readonly failed: string };

/** Stands in a question, and the model repeats it: letters alone, because a number in an answer needs a source. */
export const TAGS = /\bq[sd][a-z]{5}\b/g;

export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
