import type { InboxStatus } from '#src/chat/store/tables.ts';
import { type Happening, ofType } from '#test/fakes/platform/history.ts';
import { gather, type InboxRow, leaderOf, type Message, textOf } from './facts.ts';
import { flawIn, markersIn, numberOf } from './words.ts';

type Rule = (message: Message, messages: readonly Message[]) => readonly string[];

const when = (isWrong: boolean, problem: string): readonly string[] => (isWrong ? [problem] : []);
const hasAnswer = ({ answer, failures }: Message): boolean => answer.length + failures.length > 0;
const outcomesOf = (acknowledged: Message['acknowledged']): readonly string[] =>
  acknowledged.map(({ outcome }) => outcome);
const isTaken = ({ acknowledged }: Message): boolean =>
  outcomesOf(acknowledged).some((outcome) => outcome === 'accepted' || outcome === 'duplicate');
const isSamePerson = (one: Message, other: Message): boolean =>
  one.sent.sender === other.sent.sender && one.sent.chat === other.sent.chat;

/** What was acknowledged is in the inbox, once; what was refused is not, and its sender knows. */
const isKept: Rule = (message) => {
  const { acknowledged, row, notices } = message;
  const outcomes = outcomesOf(acknowledged);
  const isAcceptedTwice = outcomes.filter((outcome) => outcome === 'accepted').length > 1;
  if (outcomes.length === 0) return ['was never acknowledged'];
  if (isTaken(message))
    return [
      ...when(row === undefined, 'was acknowledged and is not in the inbox'),
      ...when(isAcceptedTwice, 'was accepted twice'),
    ];
  return [
    ...when(row !== undefined, `was refused, and is in the inbox as ${row?.status}`),
    ...when(notices.length === 0, 'was refused without a word'),
    ...when(hasAnswer(message), 'was refused and answered'),
  ];
};

/** One whole answer, or one sentence about a failure. */
const isAnsweredOnce: Rule = (message) => {
  const { answer, failures, isCommand, row, marker } = message;
  const text = textOf(message);
  if (!hasAnswer(message)) return [`is ${row?.status} and got no answer`];
  if (failures.length > 0)
    return [
      ...when(failures.length > 1, `was told of ${failures.length} failures`),
      ...when(
        answer.length > 0 && (isCommand || flawIn(text) === undefined),
        'was answered, and told of a failure',
      ),
    ];
  if (row?.status === 'failed') return ['failed without a word about it'];
  if (isCommand) return [];
  const flaw = flawIn(text);
  if (flaw !== undefined) return [`got an answer that ${flaw}`];
  return when(
    !markersIn(text).some((named) => numberOf(named) === numberOf(marker)),
    'got an answer that is not about it',
  );
};

const isNamedIn = ({ marker }: Message, other: Message): boolean =>
  marker !== '' && markersIn(textOf(other)).some((named) => numberOf(named) === numberOf(marker));

const isLeftAlone: Rule = (message, messages) => [
  ...when(hasAnswer(message), `is ${message.row?.status} and was answered`),
  ...messages
    .filter((other) => isNamedIn(message, other))
    .map((other) => `is ${message.row?.status}, and the answer to ${other.marker} is about it`),
];

const isMerged: Rule = (message, messages) => {
  const leader = leaderOf(message, messages);
  if (leader === undefined) return ['was merged into nothing'];
  return [
    ...when(leader.row?.session !== message.row?.session, `was merged into another session`),
    ...when(leader.row?.status === 'withdrawn', `was merged into ${leader.marker}, which was withdrawn`),
    ...when(
      leader.failures.length === 0 && leader.answer.length > 0 && !isNamedIn(message, leader),
      `was merged into ${leader.marker}, whose answer is not about it`,
    ),
  ];
};

const isSuperseded: Rule = (message, messages) => {
  const by = messages.find(({ row }) => row !== undefined && row.id === message.row?.takenBy);
  if (by === undefined) return ['was superseded by nothing'];
  return [
    ...when(
      by.place <= message.place && !by.sent.isLate && !message.sent.isLate,
      `was superseded by the earlier ${by.marker}`,
    ),
    ...when(by.isCommand, 'was superseded by a command'),
    ...when(!isSamePerson(by, message), `was superseded by ${by.marker} of somebody else`),
    ...isLeftAlone(message, messages),
  ];
};

const isWithdrawn: Rule = (message, messages) => [
  ...when(
    message.changes.every(({ change }) => change.body !== undefined),
    'is withdrawn, and was not deleted',
  ),
  ...isLeftAlone(message, messages),
];

const isUnsettled: Rule = ({ row }) => [`is still ${row?.status}`];

/** By where it ended. */
const RULE_OF: Readonly<Record<InboxStatus, Rule>> = {
  pending: isUnsettled,
  suspended: isUnsettled,
  done: isAnsweredOnce,
  failed: isAnsweredOnce,
  merged: isMerged,
  superseded: isSuperseded,
  withdrawn: isWithdrawn,
};

const isAccountedFor: Rule = (message, messages) =>
  message.row === undefined ? [] : RULE_OF[message.row.status](message, messages);

/** An answer is about messages of its own turn, of one person, and no message is in two answers. */
const isOfOnePrincipal: Rule = (message, messages) => {
  const others = messages.filter((other) => other !== message && isNamedIn(other, message));
  const answers = messages.filter((other) => isNamedIn(message, other));
  return [
    ...others
      .filter((other) => leaderOf(other, messages) !== message)
      .map((other) => `got an answer about ${other.marker}, which is not part of its turn`),
    ...others
      .filter((other) => !isSamePerson(other, message))
      .map((other) => `got an answer about ${other.marker} of somebody else`),
    ...when(answers.length > 1, `is in the answers to ${answers.map(({ marker }) => marker).join(' and ')}`),
  ];
};

const isSaidOnce: Rule = ({ answer, failures, notices, sent }) => {
  const said = [...answer, ...failures];
  return [
    ...when(new Set(said.map(({ text }) => text)).size < said.length, 'was told the same twice'),
    ...when(
      new Set(answer.map(({ replyTo }) => replyTo)).size > 1,
      'got an answer whose parts go to different messages',
    ),
    ...when(
      [...said, ...notices].some(({ chat }) => chat !== sent.chat),
      'was answered in another chat',
    ),
  ];
};

/** What an acknowledgement says of an edit or a deletion is so. */
const isRevised: Rule = (message, messages) =>
  message.changes.flatMap(({ change, acknowledged }) => {
    const outcomes = new Set(outcomesOf(acknowledged));
    const shown = messages.flatMap((other) =>
      markersIn(textOf(other)).filter((named) => numberOf(named) === numberOf(message.marker)),
    );
    return [
      ...when(outcomes.size === 0, 'was changed, which was never acknowledged'),
      ...when(
        outcomes.has('withdrawn') && message.row?.status !== 'withdrawn',
        `was withdrawn and is ${message.row?.status}`,
      ),
      ...when(outcomes.has('withdrawn') && change.body !== undefined, 'was edited and thereby withdrawn'),
      ...when(outcomes.has('changed') && change.body === undefined, 'was deleted and thereby changed'),
      ...when(
        outcomes.has('changed') && shown.includes(message.marker),
        'was edited in time, and the answer is to the words of before',
      ),
      ...when(new Set(shown).size > 1, 'was answered before and after its edit'),
    ];
  });

const RULES: readonly Rule[] = [isKept, isAccountedFor, isOfOnePrincipal, isSaidOnce, isRevised];

const inTime = ({ sent }: Message): boolean => sent.isLate !== true;

/** Answers to one person in one chat come in the order of what they are about. */
const orderProblems = (messages: readonly Message[]): readonly string[] => {
  const placeOf = (leader: Message): number =>
    Math.min(
      ...messages
        .filter((each) => leaderOf(each, messages) === leader && inTime(each))
        .map(({ place }) => place),
    );
  const answered = messages
    .filter((message) => !message.isCommand && message.answeredAt < Infinity && placeOf(message) < Infinity)
    .toSorted((one, other) => one.answeredAt - other.answeredAt);
  return answered.flatMap((message, index) => {
    const before = answered.slice(0, index).findLast((other) => isSamePerson(other, message));
    return before && placeOf(before) > placeOf(message)
      ? [`${message.marker} was answered after ${before.marker}`]
      : [];
  });
};

const WORKING = '👀';

/**
 * A sign is taken back before its message is settled. Not so where another message takes its place: a process
 * that is killed just then leaves it, and nobody looks at that message again.
 */
const signProblems = (history: readonly Happening[], messages: readonly Message[]): readonly string[] => {
  const marked = new Set<string>();
  for (const entry of history) {
    if (entry.type === 'reacted' && entry.emoji === WORKING) marked.add(entry.message);
    if (entry.type === 'unreacted' && entry.emoji === WORKING) marked.delete(entry.message);
  }
  return messages
    .filter(({ sent, row }) => marked.has(sent.message) && row?.status !== 'superseded')
    .map(({ sent }) => `${sent.message} looks as if it were still worked on`);
};

/**
 * Nothing lost, nothing twice, always an answer: whatever breaks this in what a platform saw and what the
 * inbox holds at the end. Empty where all is well.
 */
export const check = (history: readonly Happening[], rows: readonly InboxRow[]): readonly string[] => {
  const messages = gather(history, rows);
  const known = new Set(messages.map(({ sent }) => sent.message));
  const events = new Set(messages.map(({ sent }) => sent.event));
  return [
    ...messages.flatMap((message) =>
      RULES.flatMap((rule) => rule(message, messages)).map(
        (problem) => `${message.marker || message.sent.message} ${problem}`,
      ),
    ),
    ...orderProblems(messages),
    ...signProblems(history, messages),
    ...ofType(history, 'posted')
      .filter(({ replyTo }) => !known.has(replyTo))
      .map(({ text }) => `Something was said to nobody: ${text}`),
    ...rows.filter(({ event }) => !events.has(event)).map(({ event }) => `${event} was never sent`),
    ...when(new Set(rows.map(({ event }) => event)).size < rows.length, 'An event is in the inbox twice'),
  ];
};
