import { type Evidence } from '#src/agent/grounding/facts/evidence.ts';
import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import type { AnswerCheck } from '#src/agent/grounding/judge/verdict.ts';
import { asksForRepair, missesIn } from '#src/agent/grounding/mark/mark-answer.ts';
import { conversationOf, evidenceFor, type Recorded, type RecordedAnswer } from './recorded.ts';

/** Spots in an answer, as `[start, end]`. */
export type Spots = readonly (readonly [start: number, end: number])[];

/** What the check says against an answer, a line each. */
export const doubtsIn = (check: AnswerCheck): readonly string[] => [
  ...missesIn(check).map(({ text }) => `${text.trim()} unsupported`),
  ...check.questions.map(({ text, kind }) => `${text.trim()} ${kind}`),
  ...check.claims.map(({ text, effect }) => `${text.trim()} ${effect}`),
];

export const doubtsAbout = (answer: string, evidence: Evidence): readonly string[] =>
  doubtsIn(checkAnswer(answer, evidence));

/** Whether a miss or a question meets one of these spots. */
export const isCaught = (check: AnswerCheck, spots: Spots): boolean =>
  [...missesIn(check), ...check.questions].some(({ start, end }) =>
    spots.some(([from, to]) => start < to && end > from),
  );

export class Count {
  all = 0;
  hits = 0;

  add(isHit: boolean): void {
    this.all += 1;
    if (isHit) this.hits += 1;
  }

  get percent(): number {
    return (100 * this.hits) / Math.max(1, this.all);
  }
}

/** Right answers that were flagged, and wrong ones that were caught, by kind. */
export interface Score {
  readonly flagged: Count;
  readonly numbers: Count;
  readonly caught: ReadonlyMap<string, Count>;
  /** A line for each false alarm. */
  readonly alarms: readonly string[];
}

const spotsOf = ({ answer, wrong = [] }: RecordedAnswer): Spots =>
  wrong.map((part) => [answer.indexOf(part), answer.indexOf(part) + part.length]);

/** Checks every recorded answer. */
export const scoreOf = (recorded: Recorded): Score => {
  const flagged = new Count();
  const numbers = new Count();
  const caught = new Map<string, Count>();
  const alarms: string[] = [];
  for (const written of recorded.answers) {
    const { id, answer, kind } = written;
    const check = checkAnswer(answer, evidenceFor(conversationOf(recorded, id), written));
    if (kind === undefined) {
      flagged.add(asksForRepair(check));
      for (const { verdict } of check.numbers)
        if (verdict !== 'exempt') numbers.add(verdict === 'unsupported');
      if (asksForRepair(check)) alarms.push(`${id}: ${doubtsIn(check).join(', ')} in: ${answer}`);
    } else {
      const count = caught.get(kind) ?? new Count();
      caught.set(kind, count);
      count.add(isCaught(check, spotsOf(written)));
    }
  }
  return { flagged, numbers, caught, alarms };
};
