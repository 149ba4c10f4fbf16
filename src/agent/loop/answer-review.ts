import type { SessionKey, AgentId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { GroundingMode } from '#src/kernel/agent/agent-settings.ts';
import { CONTROL_TOKEN_NAMES, stripControlTokens } from '#src/kernel/text.ts';
import { asksForRepair, markAnswer, missesIn } from '../grounding/mark/mark-answer.ts';
import { repairNote } from '../grounding/mark/repair-note.ts';
import type { AnswerCheck, CheckedNumber } from '../grounding/judge/verdict.ts';
import { withoutRepaired } from '../memory/transcript/repaired-answers.ts';
import { answerIn, standInOf } from './answer-facts.ts';
import type { TurnHistory } from './turn-history.ts';
import type { FinClawEventMap } from '#src/kernel/operations/events.ts';
import { NO_NUMBERS } from '#src/kernel/operations/status.ts';
import type { Uses } from '#src/platform/services.ts';
import type { NumberTally } from './number-tally.ts';

/** The outcome of a review. */
export type Reviewed =
  | { readonly outcome: 'stands' }
  /** The model is asked to correct it. */
  | { readonly outcome: 'repair'; readonly note: ConversationMessage }
  /** People see it with marks behind its numbers and notes below it. */
  | { readonly outcome: 'marked'; readonly shown: string; readonly note: ConversationMessage }
  /** A correction that says nothing, so that the first answer is kept. */
  | { readonly outcome: 'empty' };

/** Checks a turn's answer. The outcome depends on the conversation alone, and nothing here throws. */
export type AnswerReview = ReturnType<typeof createAnswerReview>;

/** Checks an answer against the conversation that it ends, which an answer without numbers and claims does not need. */
export type CheckAnswer = (
  answer: string,
  messages: () => readonly ConversationMessage[],
  today: Temporal.PlainDate,
) => Promise<AnswerCheck>;

interface AnswerReviewDeps extends AnswerReportDeps, Uses<'logger.warn'> {
  readonly mode: GroundingMode;
  readonly check: CheckAnswer;
  readonly history: Pick<TurnHistory, 'entries' | 'ofThisTurn'>;
  readonly sessionKey: SessionKey;
  readonly locale: Locale;
  readonly timeZone: string;
}

const FIRST_KEPT =
  '[No correction was made. The user was shown the answer above, with what is unconfirmed marked.]';

const STANDS: Reviewed = { outcome: 'stands' };

const SILENT = CONTROL_TOKEN_NAMES.filter((name) => name === 'NO_REPLY' || name === 'SILENT_REPLY');

/** Whether nobody will read the answer. */
const isSilent = (answer: string): boolean =>
  stripControlTokens(answer) === '' || SILENT.some((name) => answer.includes(`<<${name}>>`));

const noteOf = (check: AnswerCheck): ConversationMessage => ({
  role: 'user',
  isRepair: true,
  content: [{ type: 'text', text: repairNote(check) }],
});

/** Where it happened, without the message, which may quote the answer. */
const causeOf = (error: unknown): string => {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
  const place = stack.split('\n').find((line) => /^ {4}at /.test(line));
  return `${name}${place?.replace(/^ {4}/, ' ') ?? ''}`;
};

/** The review of one turn's answers. */
export const createAnswerReview = (deps: AnswerReviewDeps) => {
  const { mode, history, sessionKey, locale } = deps;
  const reports = createAnswerReports(deps);

  const repairAt = (): number => history.ofThisTurn.findLastIndex(({ isRepair }) => isRepair);
  const isRepairing = (): boolean => repairAt() >= 0;
  const firstAnswer = (): string => answerIn(history.ofThisTurn.slice(0, Math.max(0, repairAt())));

  /** The day on which the answer was written, so that a restart does not change it. */
  const today = (): Temporal.PlainDate =>
    Temporal.Instant.from(history.entries.at(-1)?.at ?? '')
      .toZonedDateTimeISO(deps.timeZone)
      .toPlainDate();

  /** Runs a part of the check; whatever goes wrong in it, the answer goes out. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      deps.logger.warn('The numbers of an answer were not checked', {
        sessionKey,
        cause: causeOf(error),
      });
      reports.unchecked();
      return undefined;
    }
  };

  const checkOf = (answer: string, next?: ConversationMessage): Promise<AnswerCheck> =>
    deps.check(
      answer,
      () =>
        // A repaired answer and the note on it are full of wrong numbers, and support none.
        withoutRepaired([...history.entries, ...(next ? [{ message: next }] : [])]).map(
          ({ message }) => message,
        ),
      today(),
    );

  /** Reports how the repair ended, and returns how many numbers it corrected. */
  const closeRepair = async (check: AnswerCheck): Promise<number> => {
    const before = await guarded(() => checkOf(firstAnswer()));
    const after = missesIn(check).length;
    reports.repair(asksForRepair(check) ? 'insisted' : 'corrected');
    return Math.max(0, (before ? missesIn(before).length : 0) - after);
  };

  /** The answer that was reviewed last, because the numbers of the stored answer are asked for right after its review. */
  let reviewed: { readonly answer: string; readonly check: AnswerCheck } | undefined;

  const review = async (next: ConversationMessage | undefined, mayRepair: boolean): Promise<Reviewed> => {
    const answer = answerIn([...history.ofThisTurn, ...(next ? [next] : [])]);
    if (isSilent(answer)) return isRepairing() ? { outcome: 'empty' } : STANDS;
    const check = await checkOf(answer, next);
    reviewed = { answer, check };
    if (asksForRepair(check) && mode === 'repair' && mayRepair && !isRepairing()) {
      reports.toRepair(check);
      return { outcome: 'repair', note: noteOf(check) };
    }
    const shown = markAnswer(answer, check, locale);
    reports.final(check, isRepairing() ? await closeRepair(check) : 0);
    return shown === answer ? STANDS : { outcome: 'marked', shown, note: noteOf(check) };
  };

  return {
    /** `next` is the answer, if it is not stored yet. */
    of: async (next: ConversationMessage | undefined, mayRepair: boolean): Promise<Reviewed> =>
      mode === 'off' ? STANDS : ((await guarded(() => review(next, mayRepair))) ?? STANDS),
    /** Whether this turn's model was asked to correct its answer. */
    isRepairing,
    /** The numbers of the stored answer with what the check found; none in mode `off`. */
    numbers: async (): Promise<readonly CheckedNumber[]> => {
      const answer = answerIn(history.ofThisTurn);
      if (mode === 'off' || answer === '') return [];
      if (answer === reviewed?.answer) return reviewed.check.numbers;
      try {
        return (await checkOf(answer)).numbers;
      } catch {
        // The review has reported it.
        return [];
      }
    },
    /** The first answer, marked, which ends the turn if no correction came. Undefined if none was asked for. */
    keepFirst: async (): Promise<ConversationMessage | undefined> => {
      const answer = firstAnswer();
      if (!isRepairing() || answer === '') return undefined;
      const shown = await guarded(async () => {
        const check = await checkOf(answer);
        reports.final(check, 0);
        return markAnswer(answer, check, locale);
      });
      reports.repair('failed');
      const standIn = standInOf(history.ofThisTurn.slice(0, repairAt()));
      return {
        role: 'assistant',
        isNote: true,
        content: [{ type: 'text', text: FIRST_KEPT }],
        shown: shown ?? answer,
        ...(standIn && { standIn }),
      };
    },
  };
};

interface AnswerReportDeps extends Uses<'events.emit'> {
  readonly agentId: AgentId;
  readonly tally: Pick<NumberTally, 'add'>;
}

type Follow = FinClawEventMap['answer:miss']['follow'];

/** Reports what the check of an answer found, without any words of the answer. */
const createAnswerReports = ({ agentId, tally, events }: AnswerReportDeps) => {
  const emitMisses = (check: AnswerCheck, follow: Follow): void => {
    for (const _ of missesIn(check))
      events.emit('answer:miss', { agentId, fault: 'unsupported', tool: 'none', metric: 'none', follow });
    for (const { kind, facts } of check.questions)
      events.emit('answer:miss', {
        agentId,
        fault: kind,
        tool: facts[0]?.tool ?? 'none',
        metric: facts[0]?.fact.metric ?? 'none',
        // What was only asked about goes out as it is, unless the price of the market is shown below.
        follow: follow === 'mark' && kind !== 'stranger' ? 'none' : follow,
      });
    for (const { effect } of check.claims)
      events.emit('answer:miss', { agentId, fault: 'claim', tool: 'none', metric: effect, follow });
  };

  return {
    /** The model is asked to look at these again. */
    toRepair: (check: AnswerCheck) => {
      emitMisses(check, 'repair');
      tally.add({ ...NO_NUMBERS, toRepair: 1, asked: check.questions.length });
      events.emit('answer:to-repair', { agentId, asked: check.questions.length });
    },
    /** The answer that people get. `repaired`: how many numbers its correction took back. */
    final: (check: AnswerCheck, repaired: number) => {
      const count = (verdict: string): number =>
        check.numbers.filter((number) => number.verdict === verdict).length;
      emitMisses(check, 'mark');
      const counts = {
        checked: check.numbers.length - count('exempt'),
        supported: count('supported'),
        quoted: count('quoted'),
        derived: count('derived'),
        repaired,
        marked: count('unsupported'),
      };
      tally.add({ ...NO_NUMBERS, ...counts, answers: 1 });
      events.emit('answer:check', {
        agentId,
        ...counts,
        exempt: count('exempt'),
        unchecked: check.uncheckedCount,
      });
    },
    repair: (outcome: FinClawEventMap['answer:repair']['outcome']) =>
      events.emit('answer:repair', { agentId, outcome }),
    unchecked: () => events.emit('answer:unchecked', { agentId }),
  };
};
