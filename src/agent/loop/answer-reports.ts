import type { Events, FinClawEventMap } from '#src/kernel/events.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { AnswerCheck, CheckedNumber } from '../grounding/verdict.ts';
import { missesIn } from '../grounding/mark-answer.ts';
import type { NumberTally } from './number-tally.ts';

export interface AnswerReportDeps {
  readonly agentId: AgentId;
  readonly tally: Pick<NumberTally, 'add'>;
  readonly events: Pick<Events, 'emit'>;
}

/** Reports what the check of an answer found, without any words of the answer. */
interface AnswerReports {
  /** The model is asked to correct these numbers. */
  readonly toRepair: (check: AnswerCheck) => void;
  /** The answer that people get. */
  readonly final: (check: AnswerCheck, repaired: number) => void;
  readonly repair: (outcome: FinClawEventMap['answer:repair']['outcome']) => void;
  readonly unchecked: () => void;
}

type Follow = FinClawEventMap['answer:miss']['follow'];

export const createAnswerReports = ({ agentId, tally, events }: AnswerReportDeps): AnswerReports => {
  const emitMiss = ({ known, verdict }: CheckedNumber, follow: Follow): void =>
    events.emit('answer:miss', {
      agentId,
      verdict,
      tool: known?.tool ?? 'none',
      metric: known?.fact.metric ?? 'none',
      follow,
    });

  return {
    toRepair: (check) => {
      for (const miss of missesIn(check)) emitMiss(miss, 'repair');
    },
    final: (check, repaired) => {
      const verdicts: Record<string, number> = {};
      for (const { verdict } of check.numbers) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      for (const miss of missesIn(check)) emitMiss(miss, miss.verdict === 'contradicted' ? 'strike' : 'mark');
      const counts = {
        checked: check.numbers.length - (verdicts['exempt'] ?? 0),
        repaired,
        struck: verdicts['contradicted'] ?? 0,
        marked: verdicts['unsupported'] ?? 0,
      };
      tally.add(counts);
      events.emit('answer:check', { agentId, ...counts, verdicts, unchecked: check.uncheckedCount });
    },
    repair: (outcome) => events.emit('answer:repair', { agentId, outcome }),
    unchecked: () => events.emit('answer:unchecked', { agentId }),
  };
};
