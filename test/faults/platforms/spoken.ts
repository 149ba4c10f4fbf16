/** Something that a person said or called in a round, and what the platform knows it by. */
export interface Spoken {
  readonly number: string;
  readonly sender: string;
  /** Whose answers come in order: a channel, a thread, a private chat. */
  readonly chat: string;
  /** What answers point at: the message, or the interaction. */
  readonly message: string;
  /** The bot's own name of the event. */
  readonly event: string;
  readonly body: string;
  /** Others talk to each other: no answer is expected, or wanted. */
  readonly isMeant: boolean;
  /** Called with a slash, and not written. */
  readonly isCall: boolean;
}

/** How far a call of a command came, by the platform's own account. */
export interface CallState {
  /** When the bot acknowledged it, on the clock of the history; undefined: it did not, and the person was told so. */
  readonly acknowledgedAtMs: number | undefined;
}

/** Where the history of a platform and its end disagree on whether something is owed. */
const DYING_MS = 500;
/** The clocks of the two records begin a little apart. */
const SAME_MOMENT_MS = 100;

/**
 * A call is owed an answer once it was acknowledged. It is acknowledged before it is stored, or nobody could keep to
 * three seconds: whoever is killed in between forgets it, and the person sees no answer come.
 */
export const isOwed = (
  { acknowledgedAtMs }: CallState,
  isStored: boolean,
  killedAtMs: readonly number[],
): boolean =>
  isStored ||
  (acknowledgedAtMs !== undefined &&
    !killedAtMs.some(
      (atMs) => atMs >= acknowledgedAtMs - SAME_MOMENT_MS && atMs <= acknowledgedAtMs + DYING_MS,
    ));

/** Of two ways to do something, every second one is done the other way. */
export const isEven = (number: string): boolean => Number(number) % 2 === 0;
