import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { Pulse } from './pulse.ts';

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
/** While the database is away, storing takes as long as a process waits for it. */
const PATIENCE_MS = 8_000;
/** The clocks of the two records begin a little apart. */
const SAME_MOMENT_MS = 100;

/**
 * A call is owed an answer once it was acknowledged. It is acknowledged before it is stored, or nobody could keep to
 * three seconds: whoever is killed in between forgets it, and the person sees no answer come.
 */
export const isOwed = (
  { acknowledgedAtMs }: CallState,
  isStored: boolean,
  { killedAtMs, outagesAtMs }: Pick<Pulse, 'killedAtMs' | 'outagesAtMs'>,
): boolean => {
  if (isStored || acknowledgedAtMs === undefined) return isStored;
  const isOut = outagesAtMs.some((atMs) => Math.abs(atMs - acknowledgedAtMs) <= PATIENCE_MS);
  const dyingMs = isOut ? PATIENCE_MS : DYING_MS;
  return !killedAtMs.some(
    (atMs) => atMs >= acknowledgedAtMs - SAME_MOMENT_MS && atMs <= acknowledgedAtMs + dyingMs,
  );
};

const NOT_STORED = channelTexts('en').notStored();

/** How long a process waits for the database, and how long it takes the database to come back on a busy machine. */
const OUTAGE_MS = 20_000;

/**
 * While the database is away, a call is acknowledged and cannot be stored. Its caller is told, and is owed nothing more.
 * Only an outage around that time explains this.
 */
export const isToldOfLoss = (
  answers: readonly string[],
  { acknowledgedAtMs }: CallState,
  isStored: boolean,
  outagesAtMs: readonly number[],
): boolean =>
  !isStored &&
  acknowledgedAtMs !== undefined &&
  outagesAtMs.some((atMs) => Math.abs(atMs - acknowledgedAtMs) <= OUTAGE_MS) &&
  answers.length > 0 &&
  answers.every((text) => text === NOT_STORED);

/** Of two ways to do something, every second one is done the other way. */
export const isEven = (number: string): boolean => Number(number) % 2 === 0;
