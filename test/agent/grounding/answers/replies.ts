import { en, ko, type WrittenAnswer } from './written-answer.ts';

/** Chatty replies, from a portfolio, exchange rates and coins together. */
export const REPLY_ANSWERS: readonly WrittenAnswer[] = [
  en("Sure! You're sitting on roughly ₩17.4 million of unrealized gains, so nearly 60% on what you put in."),
  en(
    "Sure! You're sitting on roughly {{₩71.4 million|17.4}} of unrealized gains, so nearly 60% on what you put in.",
  ),
  en(
    'Good question. Of the ₩17.39M gain, about ₩16.39M comes from prices and just ₩1.00M from the weaker won.',
  ),
  en(
    'Good question. Of the ₩17.39M gain, about {{₩13.69M|16.39M}} comes from prices and just ₩1.00M from the weaker won.',
  ),
  en('Your 8 SK hynix shares cost ₩1,696,000 and are now worth ₩4,488,000, so they have gained ₩2,792,000.'),
  en(
    'Your 8 SK hynix shares cost ₩1,696,000 and are now worth {{₩4,884,000|4,488,000}}, so they have gained ₩2,792,000.',
  ),
  en('In won terms NVIDIA is up 65.29%, versus 56.71% in dollars; the difference is the exchange rate.'),
  en(
    'In won terms NVIDIA is up {{56.71%|65.29%}}, versus {{65.29%|56.71%}} in dollars; the difference is the exchange rate.',
  ),
  en('At 1,467.35 won per dollar, your Apple stake of $6,823.75 is about ₩10.01 million.'),
  en('At 1,467.35 won per dollar, your Apple stake of $6,823.75 is about {{₩11.01 million|10.01}}.'),
  en(
    'If the dollar fell 10%, the US part of your portfolio (about ₩21.2 million) would lose roughly ₩2.1 million.',
    { own: 'what happens if the dollar falls 10%?' },
  ),
  en('Selling 5 of your 40 NVIDIA shares at $190.17 would bring in $950.85, or around ₩1.395 million.', {
    own: 'what if I sell 5 nvidia shares?',
  }),
  en('Selling 5 of your 40 NVIDIA shares at $190.17 would bring in {{$905.85|950.85}}.', {
    own: 'what if I sell 5 nvidia shares?',
  }),
  en('Your cash of ₩3.25M would buy about 0.023 BTC at ₩139.52M each.', {
    own: 'how much btc could I buy with my cash?',
  }),
  en('Your cash of ₩3.25M would buy about {{0.23 BTC|0.023}} at ₩139.52M each.', {
    own: 'how much btc could I buy with my cash?',
  }),
  en(
    'Today was slightly red: -₩214,700, or -0.46%. SK hynix (-1.92%) was the main drag, while NVIDIA gained 1.77%.',
  ),
  en(
    'Today was slightly {{green: +₩214,700|red}}, or {{+0.46%|-0.46%}}. SK hynix (-1.92%) was the main drag, while NVIDIA {{lost 1.77%|gained}}.',
  ),
  en("You've received ₩412,300 in dividends and realized ₩1.284 million this year, ₩1,696,300 combined."),
  en(
    "You've received ₩412,300 in dividends and realized ₩1.284 million this year, {{₩1,969,300|1,696,300}} combined.",
  ),
  en('Concentration looks moderate: an HHI of 0.217, which corresponds to 4.6 equally weighted positions.'),
  en(
    'Concentration looks moderate: an HHI of {{0.127|0.217}}, which corresponds to {{7.6|4.6}} equally weighted positions.',
  ),
  en('Annualised, that is 26.77% with 22.8% volatility, so a Sharpe of 1.12 (risk-free: 3%).'),
  en(
    'Annualised, that is {{27.66%|26.77%}} with 22.8% volatility, so a Sharpe of 1.12 (risk-free: {{4%|3%}}).',
  ),
  en('You are ahead of the KOSPI by about 7.8 percentage points (38.42% vs. 30.64%).'),
  en('You are behind the KOSPI: 38.42% vs. {{40.64%|30.64%}}.'),
  en('Tip #1: keep 3–6 months of expenses in cash. You currently hold ₩3,250,000, or 6.5% of the total.'),
  en(
    'Tip #1: keep 3–6 months of expenses in cash. You currently hold ₩3,250,000, or {{16.5%|6.5%}} of the total.',
  ),
  en(
    'The ₩2.5M deduction leaves ₩1.68M taxable; 20% income tax (₩336,000) plus 10% of that as local tax (₩33,600) makes ₩369,600.',
    {
      loose:
        'Foreign shares: 20% income tax and 10% of it as local income tax, after a deduction of 2.5 million won.',
    },
  ),
  en('The ₩2.5M deduction leaves {{₩1.86M|1.68M}} taxable, and the tax is {{₩39,600|369,600}}.'),
  en('Ether is up 1.15% on Upbit to ₩4.65 million, with a kimchi premium of about 2.5%.'),
  en('Ether is {{down 1.15%|up}} on Upbit to ₩4.65 million, with a kimchi premium of about {{5.2%|2.5%}}.'),
  ko('네, 맞아요. 삼성전자 평단이 71,400원이니까 지금 가격 102,300원이면 주당 30,900원 이익이에요.'),
  ko(
    '네, 맞아요. 삼성전자 평단이 71,400원이니까 지금 가격 102,300원이면 주당 {{39,900원|30,900}} 이익이에요.',
  ),
  ko('포트폴리오를 달러로 환산하면 약 33,838달러예요. (49,651,668원 ÷ 1,467.35원)', {
    own: '내 포트폴리오 달러로 얼마야?',
  }),
  ko('포트폴리오를 달러로 환산하면 약 {{38,338달러|33,838}}예요. (49,651,668원 ÷ 1,467.35원)', {
    own: '내 포트폴리오 달러로 얼마야?',
  }),
  ko('애플은 달러로 +45.03%, 원화로 +59.71%예요. 환율 덕을 14.68%p 본 셈이죠.'),
  ko('애플은 달러로 {{+54.03%|+45.03%}}, 원화로 +59.71%예요. 환율 덕을 본 셈이죠.'),
  ko(
    '손실 중인 종목은 없어요. 수익률이 가장 높은 건 SK하이닉스(+164.62%), 가장 낮은 건 삼성전자(+43.28%)입니다.',
  ),
  ko('수익률이 가장 높은 건 SK하이닉스({{+64.62%|+164.62%}}), 가장 낮은 건 삼성전자(+43.28%)입니다.'),
];
