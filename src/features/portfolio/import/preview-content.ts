import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { mapInSteps, type Steps } from '#src/platform/steps.ts';
import type { NewPortfolio } from '#src/features/portfolio/store-types.ts';
import type { NewEntry } from './preview-new.ts';

/** What waits for a yes. */
export interface PendingEntries {
  readonly entries: readonly Pick<NewEntry, 'entry' | 'ordinal'>[];
  /** Lines of the file that cannot be recorded. */
  readonly missing: number;
  /** Cash and quantities come to what the file itself says. */
  readonly isReconciled?: boolean | undefined;
  /** The portfolio that is made for it, where the person had none. */
  readonly first?: NewPortfolio | undefined;
}

type Packed = Readonly<Record<string, string>>;

interface Content extends Omit<PendingEntries, 'entries'> {
  readonly ordinals: readonly number[];
  readonly instruments: Readonly<Record<string, Instrument>>;
  readonly entries: readonly Packed[];
}

const NUMBERS: ReadonlySet<string> = new Set([
  'quantity',
  'price',
  'fee',
  'tax',
  'amount',
  'ratio',
  'toAmount',
  'rate',
  'toRate',
]);

const packed = (entry: NewTransaction): Packed => {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry) as readonly [string, unknown][]) {
    if (value instanceof Decimal) fields[name] = value.toFixed();
    else if (typeof value === 'boolean' || typeof value === 'string') fields[name] = String(value);
    else if (value instanceof Temporal.PlainDate || value instanceof Temporal.PlainTime)
      fields[name] = value.toString();
  }
  return 'instrument' in entry ? { ...fields, instrument: entry.instrument.symbol } : fields;
};

/** Plain text: an instrument once, however often it is traded. */
export const packEntries = function* ({ entries, ...rest }: PendingEntries): Steps<string> {
  const instruments: Record<string, Instrument> = {};
  const packedEntries: string[] = [];
  for (const { entry } of entries) {
    if ('instrument' in entry) instruments[entry.instrument.symbol] = entry.instrument;
    packedEntries.push(JSON.stringify(packed(entry)));
    yield;
  }
  const head: Omit<Content, 'entries'> = {
    ...rest,
    instruments,
    ordinals: entries.map(({ ordinal }) => ordinal),
  };
  return `${JSON.stringify(head).slice(0, -1)},"entries":[${packedEntries.join(',')}]}`;
};

/** Of what `packEntries` wrote. */
export const unpackEntries = function* (content: string): Steps<PendingEntries> {
  const { instruments, ordinals, entries, ...rest } = JSON.parse(content) as Content;
  yield;
  const unpacked = yield* mapInSteps(entries, (entry, index) => ({
    ordinal: ordinals[index] ?? 1,
    entry: Object.fromEntries(
      Object.entries(entry).map(([name, value]) => {
        if (NUMBERS.has(name)) return [name, new Decimal(value)];
        if (name === 'time') return [name, Temporal.PlainTime.from(value)];
        if (name === 'isRefund') return [name, value === 'true'];
        if (name === 'date' || name === 'rateDay') return [name, Temporal.PlainDate.from(value)];
        return [name, name === 'instrument' ? instruments[value] : value];
      }),
    ) as unknown as NewTransaction,
  }));
  return { ...rest, entries: unpacked };
};
