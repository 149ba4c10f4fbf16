import type { Locale } from '../locale.ts';
import type { Card } from '../chat/card.ts';
import type { Person } from '../chat/actor.ts';
import type { PersonRef, Timestamp } from '../ids.ts';
import type { Choice, MsgContext } from '../chat/message.ts';

/** The person whose page it is, as authenticated by the platform. Nobody else sees the page. */
export type HomeReader = Pick<
  MsgContext,
  | 'channelId'
  | 'accountId'
  | 'senderId'
  | 'senderName'
  | 'guildId'
  | 'senderGuildId'
  | 'locale'
  | 'languageTag'
  | 'guildLanguageTag'
  | 'timeZone'
>;

export const HOME_QUESTIONS = ['ask', 'trade', 'watch', 'alert', 'briefing', 'zone'] as const;
export type HomeQuestionId = (typeof HOME_QUESTIONS)[number];

/** A button that asks for one line and sends it behind a command, as if the person had typed both. */
export interface HomeQuestion {
  readonly id: HomeQuestionId;
  /** At most 24 characters. */
  readonly label: string;
  readonly field: string;
  readonly example: string;
  /** Empty: the line is a message to the bot. */
  readonly command: string;
}

/** A line with a button of its own. */
export interface HomeItem {
  /** Markdown in one line. */
  readonly text: string;
  readonly choice?: Choice;
}

export interface HomeSection {
  readonly title: string;
  readonly card?: Card;
  /** Markdown, which may contain a table. */
  readonly text?: string;
  readonly items?: readonly HomeItem[];
  /** The answer to a choice that `replaces` is shown on the page, any other in the direct chat. */
  readonly choices?: readonly Choice[];
  readonly questions?: readonly HomeQuestionId[];
}

/** The page of one person: what they hold, watch and have set. */
export interface Home {
  readonly locale: Locale;
  readonly sections: readonly HomeSection[];
  /** When it was made, in the reader's zone. */
  readonly footer: string;
  /** Prices did not come in time. They may be there a moment later. */
  readonly isPartial: boolean;
}

/** What was last written to the page of a person, by whatever process. */
export interface HomeVisit {
  /** The version of the data that the page shows. */
  readonly version?: string;
  readonly writtenAt?: Timestamp;
}

/** Port: who has opened their page. It outlives the process, and all processes share it. */
export interface HomeVisits {
  readonly opened: (person: PersonRef) => Promise<void>;
  /** Does nothing for a person who has not opened the page, or whose data was deleted. */
  readonly written: (person: PersonRef, version: string) => Promise<void>;
  /** Undefined if the person has not opened the page, or not for long. */
  readonly find: (person: PersonRef) => Promise<HomeVisit | undefined>;
}

/** Port: the page that a platform shows a person about their own data. */
export interface HomePages {
  /** False for a stranger whom the gates leave without any answer: they get no page, and nothing is stored about them. */
  readonly isFor: (reader: Person) => boolean;
  /** Returns within about two seconds, if need be without prices. Rejects if the data cannot be read. */
  readonly compose: (reader: HomeReader, signal: AbortSignal) => Promise<Home>;
  /** Differs whenever the person's data was changed, by whatever process. Asks no market. */
  readonly versionOf: (reader: HomeReader) => Promise<string>;
  readonly languageOf: (reader: HomeReader) => Promise<Locale>;
  readonly question: (id: HomeQuestionId, locale: Locale) => HomeQuestion;
  readonly visits: HomeVisits;
  /** Called in this process after it has deleted the data of a person who had opened the page. */
  readonly onErased: (listener: (person: PersonRef) => void) => void;
}
