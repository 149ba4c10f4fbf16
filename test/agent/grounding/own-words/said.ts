import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { CheckedNumber, Evidence } from '#src/agent/grounding/verdict.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { TODAY } from '../sample-features.ts';

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
export const saidTo = (to: string, { content, facts = [] }: Answer, ownText: string): Said => ({
  to,
  content,
  evidence: {
    facts: facts.map((fact) => ({ fact, tool: 'own' })),
    ownText,
    looseText: facts.map(({ metric, value }) => (metric === 'headline' ? value : '')).join('\n'),
    today: TODAY,
  },
});

const isDoubted = ({ verdict }: CheckedNumber): boolean =>
  verdict === 'contradicted' || verdict === 'unsupported';

/** The numbers that the check doubts, each with its line. */
export const doubtsAbout = ({ to, content, evidence }: Said): readonly string[] => {
  const { numbers, uncheckedCount } = checkAnswer(content, evidence);
  const [asked = ''] = to.split('\n', 1);
  return [
    ...numbers.filter(isDoubted).map(({ start, end, verdict, known }) => {
      const before = content.slice(content.lastIndexOf('\n', start) + 1, start);
      const [after = ''] = content.slice(end).split('\n', 1);
      const against = known ? ` by ${known.fact.entity} ${known.fact.metric} ${known.fact.value}` : '';
      return `${asked}: ${verdict}${against}: ${before}»${content.slice(start, end)}«${after}`;
    }),
    ...(uncheckedCount > 0 ? [`${asked}: ${uncheckedCount} numbers are not checked`] : []),
  ];
};

const MIN_DIGITS = 3;

/** The text with another first digit in a number: `₩102,300` becomes `₩602,300`. */
const withOtherDigit = (content: string, { start, end, text }: CheckedNumber): string => {
  const other = text.replace(/[1-9]/u, (digit) => String((Number(digit) + 4) % 9 || 9));
  return `${content.slice(0, start)}${other}${content.slice(end)}`;
};

/** Puts a wrong digit into some numbers that a fact supports, one at a time, and returns those that are not doubted. */
export const missedErrorsIn = (
  { to, content, evidence }: Said,
  most: number,
): { readonly count: number; readonly missed: readonly string[] } => {
  const supported = checkAnswer(content, evidence).numbers.filter(
    ({ verdict, text }) =>
      verdict === 'supported' && text.replaceAll(/\D/gu, '').replace(/^0+/u, '').length >= MIN_DIGITS,
  );
  const step = Math.max(1, supported.length / most);
  const picked = Array.from(
    { length: Math.min(most, supported.length) },
    (_, at) => supported[Math.floor(at * step)],
  );
  const missed = picked.flatMap((number) => {
    if (!number) return [];
    const wrong = withOtherDigit(content, number);
    const found = checkAnswer(wrong, evidence).numbers.find(({ start }) => start === number.start);
    return found && !isDoubted(found)
      ? [`${to.split('\n', 1)[0]}: ${number.text} → ${found.text} is ${found.verdict}`]
      : [];
  });
  return { count: picked.length, missed };
};
