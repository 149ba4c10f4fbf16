import { from, type PageAnswer } from './page-answer.ts';

/** Filings and earnings releases in English. The companies are invented. */
export const ENGLISH_FILINGS: readonly PageAnswer[] = [
  from(
    `HARLOW INSTRUMENTS, INC. CONSOLIDATED STATEMENTS OF OPERATIONS (in millions, except per share amounts)
Year ended December 31,            2025      2024      2023
Net sales                       $ 4,218.6 $ 3,902.4 $ 3,755.1
Cost of sales                     2,551.2   2,437.8   2,401.6
Gross profit                      1,667.4   1,464.6   1,353.5
Operating income                    612.9     498.3     441.0
Net income                          448.1     361.7     318.2
Diluted earnings per share      $    3.62 $    2.89 $    2.51`,
    "Harlow's net sales rose 8.1% to $4.22 billion in 2025 (2024: $3.90 billion). Gross margin was 39.5%, and diluted EPS climbed from $2.89 to $3.62.",
    "Harlow's net sales rose 8.1% to {{$4.82 billion|4.22}} in 2025. Gross margin was 39.5%, and diluted EPS climbed from $2.89 to {{$3.26|3.62}}.",
  ),
  from(
    `BRIGHTWATER FOODS CORP. Condensed Consolidated Balance Sheets (in thousands)
                                 Sep 27, 2026   Dec 28, 2025
Cash and cash equivalents            $ 318,442     $ 271,905
Accounts receivable, net               402,117       388,640
Inventories                            655,983       601,224
Total current assets                 1,436,902     1,318,377
Total current liabilities              871,556       842,010
Long-term debt                       1,150,000     1,200,000
Total shareholders' equity           1,904,231     1,796,418`,
    'Brightwater ended the quarter with $318.4 million in cash, up $46.5 million since December. Its current ratio is about 1.65, and long-term debt fell by $50 million to $1.15 billion.',
  ),
  from(
    `Item 7. Management's Discussion. Revenue for fiscal 2026 was $12,480 million compared with $11,015 million in fiscal 2025, an increase of $1,465 million. Subscription revenue represented 71% of total revenue, compared with 66% in the prior year. Research and development expense was $2,184 million.`,
    'Revenue grew 13.3% to $12.48 billion in fiscal 2026, an increase of roughly $1.5 billion. Subscriptions made up 71% of revenue (66% a year earlier), and R&D was 17.5% of revenue ($2.18 billion).',
    'Revenue grew {{31.3%|13.3%}} to $12.48 billion in fiscal 2026. Subscriptions made up {{61%|71%}} of revenue.',
  ),
  from(
    `CASCADE RAIL HOLDINGS – Third Quarter 2026 Results. Operating revenues of $1.94 billion, down 2% from $1.98 billion. Operating ratio 62.4%, an improvement of 110 basis points. Carloads declined 3.1% to 742,000. The company repurchased 2.3 million shares for $410 million.`,
    'Cascade Rail reported revenue of $1.94 billion, a 2% decline, and an operating ratio of 62.4% (110 bps better). It bought back 2.3 million shares for $410 million, i.e. about $178 a share.',
  ),
  from(
    `Segment information (USD millions), three months ended June 30, 2026
Segment          Revenue   Operating profit
Cloud              3,412              1,021
Devices            1,877                190
Advertising          966                402
Other                145               (62)
Total              6,400              1,551`,
    `Segment results for the quarter:

| Segment | Revenue | Operating profit | Margin |
|---|---|---|---|
| Cloud | $3,412M | $1,021M | 29.9% |
| Devices | $1,877M | $190M | 10.1% |
| Advertising | $966M | $402M | 41.6% |
| Other | $145M | -$62M | n/a |

Cloud accounts for about 53% of the $6.4 billion total.`,
    'Cloud revenue was {{$3,142M|3,412}} with operating profit of $1,021M, and Advertising made {{$420M|402}}.',
  ),
  from(
    `Liquidity. As of March 31, 2026, we had cash and marketable securities of $2.7 billion and an undrawn revolving credit facility of $1.5 billion maturing in May 2029. Capital expenditures for 2026 are expected to be between $650 million and $700 million.`,
    'The company has $2.7 billion in cash and securities plus an undrawn $1.5 billion revolver (maturing May 2029), so about $4.2 billion of liquidity. It guides 2026 capex to $650–700 million.',
  ),
  from(
    `NORTHGATE BIOLOGICS 10-Q. Net loss for the six months ended June 30, 2026 was $84.3 million, or $(1.12) per share, compared to a net loss of $97.6 million, or $(1.41) per share. Cash used in operations was $71.0 million. Cash balance: $305.8 million.`,
    'Northgate lost $84.3 million in the first half of 2026 (-$1.12 per share), an improvement from a $97.6 million loss. With $305.8 million in cash and a six-month burn of $71 million, it has a bit more than two years of runway.',
    'Northgate lost {{$48.3 million|84.3}} in the first half of 2026 (-$1.12 per share), with {{$350.8 million|305.8}} in cash.',
  ),
  from(
    `Note 9 – Income taxes. The effective tax rate was 21.8% in 2025 and 19.4% in 2024. Unrecognized tax benefits totaled $57 million at year end. Note 10 – Leases: operating lease liabilities of $312 million, weighted-average discount rate 4.6%, remaining term 7.2 years.`,
    'The effective tax rate increased by 2.4 percentage points to 21.8%. Operating lease liabilities are $312 million, at a discount rate of 4.6% and an average remaining term of 7.2 years.',
  ),
  from(
    `MERIDIAN PAYMENTS reports Q2 FY26: total payment volume $88.4 billion (+19%), take rate 1.92%, net revenue $1.70 billion, adjusted EBITDA $527 million, adjusted EPS $0.84 vs. $0.71 a year ago. Full-year revenue guidance raised to $6.90–7.05 billion from $6.75–6.90 billion.`,
    `Key takeaways from Meridian's Q2:
- Payment volume rose 19% to $88.4B at a take rate of 1.92%
- Net revenue was $1.7B and adjusted EBITDA $527M (margin of 31%)
- Adjusted EPS was $0.84, up 18% from $0.71
- Guidance raised by $150M to $6.90–7.05B`,
    'Payment volume rose {{91%|19%}} to $88.4B, and EPS was {{$0.48|0.84}}.',
  ),
  from(
    `Share data: authorized 900,000,000 common shares; issued 412,663,018; treasury 31,204,557; outstanding 381,458,461. Dividends declared per share $1.28 (2025), $1.16 (2024). The board approved a quarterly dividend of $0.34 payable January 15, 2027.`,
    'About 381.5 million shares are outstanding. Dividends per share rose 10.3% to $1.28 in 2025, and the new quarterly rate of $0.34 would be $1.36 a year.',
  ),
  from(
    `SOLSTICE ENERGY – production report. Oil equivalent production averaged 412 thousand boe/d in Q3 2026, against 389 thousand boe/d in Q3 2025. Realized oil price $71.35 per barrel (Q3 2025: $78.90). Lease operating expense $9.12 per boe.`,
    'Production grew 5.9% year over year to 412 thousand boe/d, while the realized oil price fell about 9.6% to $71.35 per barrel. Lease operating costs were $9.12 per boe.',
  ),
  from(
    `Debt maturity schedule ($ millions): 2027 – 250; 2028 – 600; 2029 – 0; 2030 – 1,100; thereafter – 1,850. Total 3,800. Weighted average coupon 4.35%. Net debt / EBITDA 2.1x.`,
    'Debt totals $3.8 billion with an average coupon of 4.35%. Near-term maturities are modest: $250 million in 2027 and $600 million in 2028, so $850 million in two years (22% of the total). Leverage is 2.1x net debt/EBITDA.',
    'Debt totals {{$8.3 billion|3.8}} with an average coupon of {{4.53%|4.35%}}.',
  ),
  from(
    `Quarterly data (unaudited), € in millions: Q1 2026 revenue 1,021, EBIT 143; Q2 2026 revenue 1,088, EBIT 161; Q3 2026 revenue 1,054, EBIT 139. Nine months 2025: revenue 2,947, EBIT 398.`,
    'Nine-month revenue is €3,163 million (1,021 + 1,088 + 1,054), 7.3% above the €2,947 million of the prior year. EBIT came to €443 million, versus €398 million.',
  ),
  from(
    `LARKSPUR RETAIL GROUP: comparable sales +4.2%; stores 1,318 (1,291 a year ago); gross margin 34.7%, up 60 bps; inventory $1.02 billion; e-commerce penetration 23%. FY outlook: EPS $7.10 to $7.40.`,
    'Larkspur had comparable sales growth of 4.2%, opened a net 27 stores (1,318 in total), and guides to EPS of $7.10–$7.40 (midpoint $7.25).',
  ),
  from(
    `Pension plans: projected benefit obligation $2,940 million; fair value of plan assets $2,611 million; funded status $(329) million; discount rate 5.1%; expected return on assets 6.25%.`,
    'The pension plans are underfunded by $329 million: assets of $2.61 billion cover about 89% of the $2.94 billion obligation.',
    'The pension plans are underfunded by {{$239 million|329}}.',
  ),
];
