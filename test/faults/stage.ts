import type { Happening, HistoryEntry } from '#test/fakes/platform/history.ts';
import type { Moment } from '#test/fakes/platform/server.ts';
import type { BotProcess } from './bot-process.ts';
import type { Action } from './plan.ts';
import type { Store } from './read-store.ts';

/** False: what was about to happen does not come about. */
export type OnStageMoment = (moment: Moment) => boolean;

/** A platform as a round needs it: it outlives the bot, and can say at the end what became of everything. */
export interface Stage {
  /** The program that is killed, and how it finds this platform. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** More of the bot's configuration file. */
  readonly config: Readonly<Record<string, unknown>>;
  /** So much filler makes an answer longer than one message may be. */
  readonly fillerRepeats: number;
  /** Nothing in the bot waits for longer than so many beats. */
  readonly longQuietBeats: number;
  /** Every event has been acknowledged. */
  readonly isServed: boolean;
  /** How often the bot was seen alive since anything happened; it stands still while the bot cannot get on. */
  readonly quietBeats: number;
  /** Something happened elsewhere that the bot is about to react to. */
  readonly stir: () => void;
  readonly note: (happening: Happening) => void;
  readonly act: (action: Action) => void;
  /** From now on this process is the bot. */
  readonly attend: (bot: BotProcess) => void;
  /** What happened, as far as it can be told without the bot's own records, or with them. */
  readonly tell: (store?: Store) => readonly HistoryEntry[];
  /** What else the platform has to complain about. */
  readonly complaints: () => readonly string[];
  readonly close: () => Promise<void>;
}

export type OpenStage = (onMoment: OnStageMoment) => Promise<Stage>;
