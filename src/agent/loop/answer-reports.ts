import type { Events, FinClawEventMap } from '#src/kernel/operations/events.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import { NO_NUMBERS } from '#src/kernel/operations/status.ts';
import type { AnswerCheck } from '../grounding/judge/verdict.ts';
import { missesIn } from '../grounding/mark/mark-answer.ts';
import type { NumberTally } from './number-tally.ts';

export interface AnswerReportDeps {
  readonly agentId: AgentId;
  readonly tally: Pick<NumberTally, 'add'>;
  readonly events: Pick<Events, 'emit'>;
}

/** Reports what the check of an answer found, without any words of the answer. */
interface AnswerReports {
  /** The model is asked to look at these again. */
  readonly toRepair: (check: AnswerCheck) => void;
  /** The answer that people get. `repaired`: how many numbers its correction took back. */
  readonly final: (check: AnswerCheck, repaired: number) => void;
  readonly repair: (outcome: FinClawEventMap['answer:repair']['outcome']) => void;
  readonly unchecked: () => void;
}

type Follow = FinClawEventMap['answer:miss']['follow'];

export const createAnswerReports = ({ agentId, tally, events }: AnswerReportDeps): AnswerReports => {
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
    toRepair: (check) => {
      emitMisses(check, 'repair');
      tally.add({ ...NO_NUMBERS, toRepair: 1, asked: check.questions.length });
      events.emit('answer:to-repair', { agentId, asked: check.questions.length });
    },
    final: (check, repaired) => {
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
    repair: (outcome) => events.emit('answer:repair', { agentId, outcome }),
    unchecked: () => events.emit('answer:unchecked', { agentId }),
  };
};
