import type { Evidence } from '#src/agent/grounding/facts/evidence.ts';
import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import { missesIn } from '#src/agent/grounding/mark/mark-answer.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { evidenceOf } from '../evidence.ts';

/** Something that the program said, and what its numbers may rest on. */
export interface Said {
  /** The command, call, alert or sentence that it answers. */
  readonly to: string;
  readonly content: string;
  readonly evidence: Evidence;
}

interface Answer {
  readonly content: string;
  readonly facts?: readonly Fact[];
}

/** Only facts and the person's words count: what the program says is no evidence for itself. Headlines are untyped text. */
export const saidTo = (to: string, { content, facts = [] }: Answer, question: string): Said => ({
  to,
  content,
  evidence: evidenceOf(
    facts.map((fact) => ({ fact, tool: 'own' })),
    question,
    facts.flatMap(({ metric, value }) =>
      metric === 'headline' ? [{ from: 'stranger', text: value } as const] : [],
    ),
  ),
});

/** The numbers that nothing supports and the statements that are asked about, each with its line. */
export const doubtsAbout = ({ to, content, evidence }: Said): readonly string[] => {
  const check = checkAnswer(content, evidence);
  const { questions, uncheckedCount } = check;
  const [asked = ''] = to.split('\n', 1);
  return [
    ...[...missesIn(check), ...questions].map(({ start, end }) => {
      const before = content.slice(content.lastIndexOf('\n', start) + 1, start);
      const [after = ''] = content.slice(end).split('\n', 1);
      return `${asked}: ${before}»${content.slice(start, end)}«${after}`;
    }),
    ...(uncheckedCount > 0 ? [`${asked}: ${uncheckedCount} numbers are not checked`] : []),
  ];
};
