import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { Evidence, KnownFact } from '#src/agent/grounding/verdict.ts';
import { type Collected, collectFacts } from '#test/agent/grounding/generator/collect-facts.ts';
import { render } from '#test/agent/grounding/generator/draft.ts';
import { generate } from '#test/agent/grounding/generator/generate.ts';
import { type Measured, measure, shareOf, totalOf } from '#test/agent/grounding/generator/measure.ts';
import { TODAY } from '#test/agent/grounding/sample-features.ts';
import { median } from './statistics.ts';

const ANSWERS = 10_400;
const PLANTED_EACH = 5;
const SEED = 'numbers of answers';
const CAUGHT_BAR = 0.995;
const ALARM_BAR = 0.005;
const CPU_BAR_MS = 1;
const NUMBERS = 40;
const FACTS = 250;
const SHOWN = 40;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const printCounts = ({ planted, right }: Measured): void => {
  console.log('numbers of answers: planted errors, found');
  for (const [kind, count] of planted)
    console.log(`  ${kind}: ${count.hits} of ${count.all} (${percent(shareOf(count))})`);
  const found = totalOf(planted);
  console.log(
    `  all: ${found.hits} of ${found.all} (${percent(shareOf(found))}), bar ${percent(CAUGHT_BAR)}`,
  );
  console.log('numbers of answers: right answers with a false alarm');
  for (const [group, count] of right)
    console.log(`  ${group}: ${count.hits} of ${count.all} (${percent(shareOf(count))})`);
  const alarms = totalOf(right);
  console.log(
    `  all: ${alarms.hits} of ${alarms.all} (${percent(shareOf(alarms))}), bar ${percent(ALARM_BAR)}`,
  );
};

const printExamples = ({ misses, falseAlarms }: Measured): void => {
  for (const [title, examples] of [
    ['missed', misses],
    ['false alarm', falseAlarms],
  ] as const) {
    const shown = new Map<string, number>();
    for (const { of, text, note } of examples) {
      const count = (shown.get(of) ?? 0) + 1;
      shown.set(of, count);
      if (count <= SHOWN) console.log(`[${title}: ${of}] ${note}\n    ${text.replaceAll('\n', '\n    ')}`);
    }
  }
};

/** Evidence of so many facts, and an answer with so many numbers, those of lists and spans included. */
const longAnswer = (collected: Collected): { readonly answer: string; readonly evidence: Evidence } => {
  const texts: string[] = [];
  let count = 0;
  let facts: readonly KnownFact[] = [];
  for (const { draft, session } of generate(collected, { seed: SEED, answers: 25, plantedEach: 0 })) {
    if (count >= NUMBERS) break;
    facts = session.evidence.facts;
    texts.push(render(draft.parts).text);
    count = checkAnswer(texts.join('\n\n'), session.evidence).numbers.length;
  }
  const further = collected.calls.flatMap((call) => call.facts);
  const exact = [...facts, ...further].slice(0, FACTS);
  return { answer: texts.join('\n\n'), evidence: { facts: exact, ownText: '', looseText: '', today: TODAY } };
};

interface Spent {
  readonly leastMs: number;
  readonly medianMs: number;
}

const WARM_UP = 200;

/**
 * How long one check keeps the main thread. The least of many batches is what the check itself needs; other work on the
 * machine makes the median longer. The system counts CPU time in steps that are longer than a check.
 */
const timeOf = (answer: string, evidence: Evidence, batches: number, rounds: number): Spent => {
  const spent = Array.from({ length: batches }, () => {
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round += 1) checkAnswer(answer, evidence);
    return (performance.now() - startedAt) / rounds;
  });
  return { leastMs: Math.min(...spent), medianMs: median(spent) };
};

const printCpu = (collected: Collected): void => {
  const { answer, evidence } = longAnswer(collected);
  const words = '삼성전자는 오늘 시장의 관심을 받았습니다. Shares moved little in quiet trading. ';
  const long = `${answer}\n${words.repeat(Math.ceil(100_000 / words.length))}`.slice(0, 100_000);
  const many = Array.from({ length: 10_000 }, (_, index) => `${index * 7 + 3}.${index % 100}원`).join(' ');
  for (let round = 0; round < WARM_UP; round += 1) checkAnswer(answer, evidence);
  const usual = timeOf(answer, evidence, 200, 10);
  const [ofLong, ofMany] = [timeOf(long, evidence, 9, 3), timeOf(many, evidence, 9, 1)];
  console.log(
    `check of ${checkAnswer(answer, evidence).numbers.length} numbers against ${evidence.facts.length} facts: ` +
      `${usual.leastMs.toFixed(2)} ms of the main thread (median ${usual.medianMs.toFixed(2)} ms), bar ${CPU_BAR_MS} ms; ` +
      `of 100 KB: ${ofLong.medianMs.toFixed(1)} ms; of 10,000 numbers: ${ofMany.medianMs.toFixed(1)} ms`,
  );
};

/** How many wrong numbers the check of answers finds, how many right answers it doubts, and what it costs. */
export const benchGrounding = async ({ showsMisses = false } = {}): Promise<void> => {
  const collected = await collectFacts();
  const measured = measure(collected, { seed: SEED, answers: ANSWERS, plantedEach: PLANTED_EACH });
  printCounts(measured);
  printCpu(collected);
  if (showsMisses) printExamples(measured);
};
