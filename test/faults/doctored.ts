import type { Happening } from '#test/fakes/platform/history.ts';
import type { InboxRow } from './facts.ts';
import { answerTo } from './words.ts';

/** A round as it is told to the checker. */
export interface Told {
  readonly history: readonly Happening[];
  readonly rows: readonly InboxRow[];
}

/** Somebody's words in a room of their own, or in the one that is named. */
export const asked = (number: string, sender = 'ann', chat: string = sender): readonly Happening[] => [
  {
    type: 'sent',
    event: `event-${number}`,
    message: `message-${number}`,
    chat,
    sender,
    body: `m${number} please`,
  },
  acknowledged(`event-${number}`),
];

/** The platform could not hand it over when it was said. */
export const late = (history: readonly Happening[]): readonly Happening[] =>
  history.map((entry) => (entry.type === 'sent' ? { ...entry, isLate: true } : entry));

export const acknowledged = (event: string, outcome = 'accepted'): Happening => ({
  type: 'acknowledged',
  event,
  outcome,
});

let posts = 0;

export const posted = (number: string, text: string, chat = 'ann'): Happening => {
  posts += 1;
  return { type: 'posted', nonce: `nonce-${posts}`, chat, replyTo: `message-${number}`, text };
};

/** A whole answer to the first of these, about all of them. */
export const answered = (numbers: readonly [string, ...string[]], chat = 'ann'): Happening =>
  posted(
    numbers[0],
    answerTo(
      numbers.map((number) => `m${number}`),
      false,
    ),
    chat,
  );

export const deleted = (number: string, outcome: string): readonly Happening[] => [
  { type: 'changed', event: `change-${number}`, message: `message-${number}` },
  acknowledged(`change-${number}`, outcome),
];

export const edited = (number: string, outcome: string): readonly Happening[] => [
  { type: 'changed', event: `change-${number}`, message: `message-${number}`, body: `m${number}e please` },
  acknowledged(`change-${number}`, outcome),
];

export const row = (number: string, more: Partial<InboxRow> = {}): InboxRow => ({
  id: `inbox-${number}`,
  event: `event-${number}`,
  session: 'session',
  sender: 'ann',
  status: 'done',
  takenBy: null,
  ...more,
});

/** Part of the turn of another message, or replaced by it. */
export const taken = (
  number: string,
  status: 'merged' | 'superseded',
  by: string,
  more: Partial<InboxRow> = {},
): InboxRow => row(number, { status, takenBy: `inbox-${by}`, ...more });
