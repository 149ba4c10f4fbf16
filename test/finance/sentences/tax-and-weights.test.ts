import { describe, expect, it } from 'vitest';
import { type Intent, readIntent } from '#src/finance/sentences/read-intent.ts';
import { createSymbolSearch } from '#src/finance/symbols/symbols.ts';

const symbols = createSymbolSearch();
const today = Temporal.PlainDate.from('2026-11-13');
const read = (sentence: string): Intent => readIntent(sentence, symbols, { today });

describe('taxes and weights in one’s own words', () => {
  it.each([
    ['2025년 해외주식 양도세 얼마야?', 'get_tax_report', { year: 2025 }],
    ['작년 양도소득세 계산해줘', 'get_tax_report', { year: 2025 }],
    ['올해 내 세금 알려줘', 'get_tax_report', { year: 2026 }],
    ['how much tax do I owe for 2025?', 'get_tax_report', { year: 2025 }],
    ['my capital gains tax report', 'get_tax_report', {}],
    ['내 포트폴리오 리밸런싱 해줘', 'plan_rebalance', {}],
    ['새 돈 100만원으로 리밸런싱 해줘', 'plan_rebalance', { new_money: '1000000 KRW' }],
    [
      '애플 40 삼성전자 60으로 리밸런싱해줘',
      'plan_rebalance',
      {
        targets: [
          { name: '애플', percent: 40 },
          { name: '삼성전자', percent: 60 },
        ],
      },
    ],
    [
      'rebalance my portfolio to AAPL 60 cash 40',
      'plan_rebalance',
      {
        targets: [
          { name: 'AAPL', percent: 60 },
          { name: 'cash', percent: 40 },
        ],
      },
    ],
  ])('%s', (sentence, tool, input) => {
    expect(read(sentence)).toEqual({ kind: 'call', tool, input });
  });

  it.each(['양도세가 뭐야?', 'what is rebalancing?', '삼성전자 주가 얼마야'])(
    'does not take %s for them',
    (sentence) => {
      const intent = read(sentence);
      const tool = intent.kind === 'call' ? intent.tool : '';
      expect(['get_tax_report', 'plan_rebalance']).not.toContain(tool);
    },
  );
});
