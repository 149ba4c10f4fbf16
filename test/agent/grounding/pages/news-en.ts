import { from, type PageAnswer } from './page-answer.ts';

/** News, broker notes and tables in English. The companies are invented. */
export const ENGLISH_NEWS: readonly PageAnswer[] = [
  from(
    `Orion Semiconductors jumped 11% in extended trading after guiding third-quarter revenue to $5.8 billion, plus or minus $150 million, above the $5.45 billion analysts expected. Data-center sales more than doubled to $3.1 billion.`,
    'Orion guided to $5.8 billion (±$150 million), about 6.4% above the $5.45 billion consensus, and the stock jumped 11% after hours. Data-center sales of $3.1 billion were more than half of that figure.',
    'Orion guided to {{$8.5 billion|5.8}}, and the stock jumped 11% after hours.',
  ),
  from(
    `Analyst note: We raise our price target on Delphi Robotics to $164 from $140 and reiterate Buy. Our target is based on 28x our FY28 EPS estimate of $5.86. Key risk: 38% of sales come from one customer. Stock at $131.20.`,
    'The broker raised its target to $164 from $140 (28 times FY28 EPS of $5.86), which implies 25% upside from $131.20. One customer accounts for 38% of sales.',
  ),
  from(
    `The Federal Reserve held its policy rate at 3.50%–3.75% on Wednesday. The median projection shows one 25-basis-point cut in 2027. Officials see PCE inflation at 2.4% next year and unemployment at 4.3%.`,
    'The Fed kept rates at 3.50–3.75% and pencils in one 25 bp cut for 2027. It projects inflation of 2.4% and unemployment of 4.3%.',
  ),
  from(
    `Consumer prices rose 0.3% in October and 2.9% from a year earlier, the Labor Department said. Core CPI was up 0.2% on the month and 3.0% on the year. Shelter rose 3.5%; gasoline fell 4.1%.`,
    'Headline CPI was 2.9% year over year (0.3% month over month); core was 3.0%. Gasoline prices fell 4.1% while shelter rose 3.5%.',
    'Headline CPI was {{9.2%|2.9%}} year over year; core was 3.0%.',
  ),
  from(
    `Top gainers on the day:
KEST  Kestrel Health    48.17  +12.4%
BRVO  Bravo Logistics   22.90   +8.8%
TALN  Talon Mining       9.06   +7.1%
Top losers:
VYGR  Voyager Apparel   17.33  -14.9%
LUMI  Lumina Lighting    6.48   -9.6%`,
    `The biggest gainers were:
1. Kestrel Health (KEST) at $48.17, +12.4%
2. Bravo Logistics (BRVO) at $22.90, +8.8%
3. Talon Mining (TALN) at $9.06, +7.1%

Voyager Apparel fell 14.9% to $17.33.`,
    'Kestrel Health (KEST) is at {{$84.17|48.17}}, +12.4%; Voyager Apparel {{rose 14.9%|fell}} to $17.33.',
  ),
  from(
    `Pinnacle Air said it will buy 60 narrow-body jets with options for 40 more in a deal worth $7.8 billion at list prices. Deliveries begin in 2029. The carrier operates 214 aircraft.`,
    'Pinnacle Air ordered 60 jets (with 40 options) for $7.8 billion at list prices, or $130 million per firm aircraft, with deliveries from 2029. That would add 28% to its fleet of 214.',
  ),
  from(
    `IPO watch: Fathom Data priced 22 million shares at $26, above the $22–$24 range, raising $572 million and valuing the company at $6.1 billion. Shares opened at $34.50.`,
    'Fathom Data raised $572 million by selling 22 million shares at $26, above the $22–24 range. It opened at $34.50, up 32.7%, and was valued at $6.1 billion at the IPO price.',
  ),
  from(
    `Housing starts fell 5.3% to an annual rate of 1.31 million units in September. Permits were 1.39 million. The 30-year fixed mortgage rate averaged 6.22% last week, down from 6.30%.`,
    'Housing starts dropped 5.3% to an annualized 1.31 million. Mortgage rates eased by 8 basis points to 6.22%.',
  ),
  from(
    `Gold settled at $4,126.40 an ounce, up 0.9% for the week. Silver was at $51.08. Brent crude closed at $63.71 a barrel and WTI at $59.84.`,
    'Gold finished at $4,126.40/oz (+0.9% on the week), silver at $51.08. Brent is at $63.71 and WTI at $59.84, a spread of $3.87.',
    'Gold finished at {{$4,216.40|4,126.40}}/oz, silver at $51.08.',
  ),
  from(
    `Fund fact sheet: Evergreen Dividend ETF (EVDV). Net assets $14.2bn. Expense ratio 0.08%. SEC yield 3.41%. Top holdings: Halden 4.1%, Corvia 3.8%, Maxim Oil 3.6%, Tessel 3.3%, Unity Bank 3.1%. Number of holdings: 104. 1-year return 14.6%, 5-year annualized 10.2%.`,
    'EVDV has $14.2 billion in assets, a 0.08% expense ratio and a 3.41% yield. The top five holdings add up to 17.9%, of 104 in total. Returns: 14.6% over one year and 10.2% a year over five.',
  ),
  from(
    `Merger: Halcyon will acquire Brackett for $43.00 per share in cash, a 31% premium to Brackett's unaffected price of $32.80, for an enterprise value of about $5.4 billion. Annual cost synergies of $180 million are expected by year three. Termination fee: $160 million.`,
    'Halcyon pays $43 per share in cash (a 31% premium to $32.80), valuing Brackett at about $5.4 billion. It expects $180 million of annual synergies by year three.',
  ),
  from(
    `Electric vehicle deliveries, Q3 2026: Lumen 497,100; Volta 162,340; Aurora Motors 88,912. A year earlier: 462,890; 139,020; 91,477.`,
    'Lumen delivered 497,100 vehicles (+7.4% from 462,890), Volta about 162,000 (+16.8%) and Aurora nearly 89,000 (-2.8%).',
    'Lumen delivered {{479,100|497,100}} vehicles, and Volta about {{126,000|162,000}}.',
  ),
  from(
    `The European Central Bank left its deposit rate at 2.00%. Euro-area GDP grew 0.2% in the third quarter. The euro traded at $1.1612. The 10-year Bund yield was 2.68%, while the 10-year Treasury yielded 4.11%.`,
    'The ECB held at 2%. The 10-year Treasury-Bund spread is 143 basis points (4.11% vs. 2.68%), and EUR/USD is about 1.16.',
  ),
  from(
    `Insider transactions, Tessel Corp: CFO J. Marsh sold 15,000 shares at $212.40 on Oct 28; Director P. Olin bought 2,500 shares at $205.10 on Nov 3.`,
    'The CFO sold 15,000 shares at $212.40 (about $3.19 million) on October 28, while a director bought 2,500 at $205.10 (roughly $513,000) on November 3.',
  ),
  from(
    `Bank stress test: Common equity tier 1 ratio of Unity Bank falls from 12.8% to a minimum of 9.3% in the severely adverse scenario, above the 4.5% requirement. Projected loan losses: $31.4 billion, or 6.1% of loans.`,
    "Unity Bank's CET1 ratio would fall by 3.5 percentage points, from 12.8% to 9.3%, still well above the 4.5% minimum. Projected loan losses are $31.4 billion (6.1% of loans).",
  ),
];
