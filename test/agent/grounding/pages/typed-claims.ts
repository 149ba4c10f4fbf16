/** What an answer about a page says of companies that typed facts are about as well, half of it wrong. */
export const TYPED_CLAIMS: readonly string[] = [
  '참고로 삼성전자의 PER은 21.84배, 배당수익률은 {{4.12%|1.42%}}입니다.',
  '비교하면 애플의 매출총이익률은 46.9%이고, 영업이익률은 {{36.1%|31.65%}}입니다.',
  'For comparison, Apple trades at 36.5 times earnings, and its dividend yield is {{0.83%|0.38%}}.',
  "Microsoft's revenue grew 18.4%, with an operating margin of {{84.8%|48.87%}}.",
  '마이크로소프트의 시가총액은 약 {{3.97조 달러|3.79조}}이고 베타는 1.07입니다.',
  "Samsung's return on equity is 8.34%, and it trades at {{1.26 times book|1.62}}.",
  '애플의 주당순이익은 7.47달러, 주당 배당금은 연 {{1.40달러|1.04달러}}입니다.',
  'Apple has {{14.87 billion shares|14.78 billion}} outstanding and a market cap of $4.03 trillion.',
  '삼성전자 매출은 308.9조 원, 잉여현금흐름은 {{23.1조 원|21.4조}}입니다.',
  "Microsoft's free cash flow was $53.3 billion on revenue of {{$239.8 billion|293.8}}.",
  '| 종목 | PER | 배당수익률 |\n| --- | --- | --- |\n| 삼성전자 | 21.84 | 1.42% |\n| 애플 | {{35.64|36.54}} | {{0.83%|0.38%}} |',
  '삼성전자는 이렇습니다.\n- PER 21.84배\n- 영업이익률 {{7.49%|9.47%}}\n- 예상 PER {{13.17배|11.37}}',
  'Apple is different. Its gross margin is 46.91%. Its profit margin is {{29.62%|26.92%}}.',
  'Samsung Electronics: P/E 21.84, revenue growth {{-8.8%|8.8%}}, net margin 9.69%.',
];
