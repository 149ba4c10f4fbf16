import { intakeTexts } from '#src/chat/gates/texts.ts';
import type { InboxStatus } from '#src/chat/store/tables.ts';
import {
  type Acknowledged,
  type Changed,
  type Happening,
  ofType,
  type Posted,
  type Sent,
} from '#test/fakes/platform/history.ts';
import { ERROR_ID, isCommand, markersIn } from './words.ts';

/** A row of the inbox, as far as it says what became of a message. */
export interface InboxRow {
  readonly id: string;
  readonly event: string;
  readonly session: string;
  readonly sender: string;
  readonly status: InboxStatus;
  readonly takenBy: string | null;
}

/** One message of a person, and where it was routed to. */
interface Accepted {
  readonly sent: Sent;
  readonly row: InboxRow | undefined;
}

/** All that is known about it. */
export interface Message extends Accepted {
  /** Its place among all that people wrote. */
  readonly place: number;
  readonly isCommand: boolean;
  /** Empty for a command. */
  readonly marker: string;
  readonly acknowledged: readonly Acknowledged[];
  readonly changes: readonly { readonly change: Changed; readonly acknowledged: readonly Acknowledged[] }[];
  /**
   * What the bot said to it, apart: words of the model or of a command, failures, refusals. To a turn of several
   * messages it may be said as a reply to any of them; it counts as said to the one that leads it.
   */
  readonly answer: readonly Posted[];
  readonly failures: readonly Posted[];
  readonly notices: readonly Posted[];
  /** Where in the history the first of these stands. */
  readonly answeredAt: number;
}

/** Whatever the limit is. */
const FULL = intakeTexts('en').queueFull({ limit: 0 }).replace(/^0/, '');
const isNotice = ({ text }: Posted): boolean => text.includes(FULL);
const isFailure = ({ text }: Posted): boolean => ERROR_ID.test(text);

export const textOf = ({ answer }: Message): string => answer.map(({ text }) => text).join('\n\n');

/** The message whose turn this one is part of: itself, unless it was merged. Undefined where there is none. */
export const leaderOf = <Each extends Accepted>(
  message: Each,
  messages: readonly Each[],
): Each | undefined => {
  if (message.row?.status !== 'merged') return message;
  const { id, takenBy } = message.row;
  // Without itself: rows that were taken by each other lead nowhere.
  const others = messages.filter(({ row }) => row?.id !== id);
  const taker = others.find(({ row }) => row !== undefined && row.id === takenBy);
  return taker && leaderOf(taker, others);
};

export const gather = (history: readonly Happening[], rows: readonly InboxRow[]): readonly Message[] => {
  const posts = ofType(history, 'posted');
  const acknowledged = ofType(history, 'acknowledged');
  const acknowledgedFor = (event: string) => acknowledged.filter((each) => each.event === event);
  const accepted = ofType(history, 'sent').map((sent): Accepted => ({
    sent,
    row: rows.find(({ event }) => event === sent.event),
  }));
  return accepted.map((message, place) => {
    const { sent } = message;
    const members = accepted.filter((each) => leaderOf(each, accepted) === message);
    const said = posts.filter(({ replyTo }) => members.some((member) => member.sent.message === replyTo));
    const first = said.find((post) => !isNotice(post));
    return {
      ...message,
      place,
      isCommand: isCommand(sent.body),
      marker: markersIn(sent.body)[0] ?? '',
      acknowledged: acknowledgedFor(sent.event),
      changes: ofType(history, 'changed')
        .filter((change) => change.message === sent.message)
        .map((change) => ({ change, acknowledged: acknowledgedFor(change.event) })),
      answer: said.filter((post) => !isFailure(post) && !isNotice(post)),
      failures: said.filter(isFailure),
      notices: posts.filter((post) => isNotice(post) && post.replyTo === sent.message),
      answeredAt: first ? history.indexOf(first) : Infinity,
    };
  });
};
