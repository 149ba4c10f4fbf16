import { z } from 'zod';
import { inputSchemaOf, type ToolDefinition } from '#src/kernel/agent/tool.ts';

const MAX_ROWS = 200;
const MAX_CHARS = 500;

/** What stands in one place of the picture. Models write null for what is not there. */
const text = (what: string) => z.string().max(MAX_CHARS).nullish().describe(what);

const ROW = z.object({
  name: text('The name of the instrument as written.'),
  code: text('Its ticker or code, if written.'),
  side: text('Trades: the kind of the transaction as written, such as 매수, 매도, Buy, Sell, 배당.'),
  date: text('Trades: its date. YYYY-MM-DD if the picture shows the year, else as written.'),
  quantity: text('The quantity.'),
  averagePrice: text('Holdings: the average purchase price of one unit (평균단가, 매입단가, avg cost).'),
  price: text('Holdings: the current price of one unit. Trades: the price of one unit.'),
  cost: text('Holdings: the purchase amount of the row (매입금액, cost basis).'),
  value: text('Holdings: the current value of the row. Trades: the amount before fees and taxes.'),
  gain: text('Holdings: the gain or loss in money, with its sign.'),
  gainPercent: text('Holdings: the gain or loss in percent, with its sign.'),
  fee: text('Trades: the fee.'),
  tax: text('Trades: the tax.'),
  settled: text('Trades: the amount after fees and taxes.'),
  currency: text('The currency of the row, if the picture says it.'),
});

const TOTAL = z.object({
  currency: text('The currency of these totals.'),
  count: text('The number of positions or transactions that the picture says there are.'),
  value: text('Holdings: the current value of all positions, without cash.'),
  cost: text('Holdings: the purchase amount of all positions.'),
  gain: text('Holdings: the gain or loss of all positions in money.'),
  cash: text('The cash (예수금, cash).'),
  assets: text('Positions and cash together, if that is what the picture states.'),
  bought: text('Trades: the amount of all purchases.'),
  sold: text('Trades: the amount of all sales.'),
});

const FORM = z.object({
  kind: z
    .enum(['holdings', 'trades', 'other'])
    .describe('A list of positions, a list of executed transactions, or anything else.'),
  currency: text('The currency of the account, if the picture says it.'),
  asOf: text(
    'The date on which the picture says the positions stand, as YYYY-MM-DD. Not the clock of the phone.',
  ),
  rows: z.array(ROW).max(MAX_ROWS).describe('One for every row of the list, from top to bottom.'),
  totals: z.array(TOTAL).max(10).nullish().describe('The sums on the picture, one entry for each currency.'),
});

export type PictureForm = z.infer<typeof FORM>;
export type PictureRow = PictureForm['rows'][number];
export type PictureTotal = z.infer<typeof TOTAL>;

export const PICTURE_FORM: ToolDefinition = {
  name: 'fill_in_broker_screen',
  description:
    "Takes what a screenshot of a broker's app shows. Every value is the text on the picture, unchanged.",
  get inputSchema() {
    return inputSchemaOf(FORM);
  },
};

export const PICTURE_INSTRUCTION =
  'Copy this screenshot into the form: every row of the list, and the sums if it shows any. A row that is cut off at an edge so that a number of it cannot be read is left out.';

/** Undefined if the model filled in something else. Fields that the form does not have are dropped. */
export const readForm = (filled: unknown): PictureForm | undefined => FORM.safeParse(filled).data;
