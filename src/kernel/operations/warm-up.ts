/** V8 compiles a pattern when it is used for the second time, and large ones take tens of milliseconds. */
export const TIMES_TO_WARM_PATTERNS = 2;

/** Something that the first message needs, prepared while the bot is idle after its start. */
export interface WarmUp {
  readonly name: string;
  /**
   * Each piece of work ends with a `yield`, where other work goes first and a bot that closes stops. It asks no server
   * and changes nothing that a message could tell from the same work done later.
   */
  readonly run: () => AsyncGenerator<undefined, void, undefined>;
}
