import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { MAX_EXPRESSION_CHARACTERS } from './problem.ts';

/** The expression on one line, fit for inline code. */
const shown = (expression: string): string => visibleLine(expression).replaceAll('`', "'").trim();

const input = toolInput(() =>
  z.object({
    expression: z
      .string()
      .min(1)
      .max(MAX_EXPRESSION_CHARACTERS)
      .describe('One expression, e.g. "pct(102300, 98700)" or "(304.12 - 271.5) * 12 USD"'),
  }),
);

export const calculateTool = ({ clock }: { readonly clock: Pick<Clock, 'now'> }): Tool =>
  defineTool({
    name: 'calculate',
    description: [
      'Calculate with exact decimals. Use it for every number that you derive (sums, differences, ratios, returns,',
      'percentages, averages) instead of working it out yourself, and state its result. Takes + - * / ^ and brackets,',
      'percent (5% of 200; 100 + 5% is 105), thousands separators, 만/억/조 and K/M/B, currency signs and codes as',
      'units (100 USD * 1463.25 KRW/USD; adding KRW to USD is an error), and the functions sqrt, abs, min, max,',
      'round(a, decimals), ln, log10, exp and pct(from, to) for the change in percent. Inside functions write numbers',
      'without thousands separators and a blank after each comma.',
    ].join(' '),
    group: 'finance',
    input,
    progress: (_, locale) => hoursTexts(locale).calculate.calculating,
    run: async ({ expression }, { locale }) => {
      const [{ evaluate }, { describeProblem, formatResult, resultUnit, resultValue }] = await Promise.all([
        import('./evaluate.ts'),
        import('./describe-result.ts'),
      ]);
      const calculation = evaluate(expression);
      if (calculation.status === 'failed')
        return { content: describeProblem(calculation.problem, locale), isError: true, facts: [] };
      const { result } = calculation;
      const fact: Fact = {
        entity: 'calculation',
        metric: 'calculation',
        label: shown(expression),
        operands: calculation.operands.map((operand) => operand.toFixed()),
        value: resultValue(result).toFixed(),
        unit: resultUnit(result),
        asOf: clock.now().toString(),
        source: 'calculator',
        isSample: false,
      };
      const { sign, value } = formatResult(result, locale);
      const content = `\`${shown(expression)}\` ${sign} ${value}`;
      return { content, isError: false, facts: [fact] };
    },
  });

export const calculate = {
  tools: { calculate: calculateTool },
} satisfies Feature;
