import { datesIn, readDate } from '#src/reading/dates.ts';
import { readTime } from '#src/reading/times.ts';
import { type Call, call } from './intent.ts';
import { withoutLead } from './clauses.ts';
import { AROUND } from './trade-verbs.ts';

type NoDay = 'which-day' | 'no-such-day' | 'future-day';

export const PAST_DAY = { looks: 'back', allowsShort: true, allowsCompact: true } as const;

/** The day of an entry, or the reason why there is none. Default: today. */
export const dayOf = (
  typed: string | undefined,
  today: Temporal.PlainDate,
): { readonly date: string } | { readonly kind: NoDay } => {
  if (typed === undefined) return { date: today.toString() };
  const read = readDate(typed, today, PAST_DAY);
  const value = read?.value;
  if (value?.status === 'impossible') return { kind: 'no-such-day' };
  if (value?.status !== 'date' || value.precision !== 'day' || read?.isApproximate)
    return { kind: 'which-day' };
  const isPast = Temporal.PlainDate.compare(value.first, today) <= 0;
  return isPast ? { date: value.first.toString() } : { kind: 'future-day' };
};

/** The time in the form of the ledger. Unclear times and times with a zone are passed on unchanged for the ledger to judge. */
export const timeOf = (typed: string | undefined): string | undefined => {
  const read = typed === undefined ? undefined : readTime(typed);
  const isClear = read?.alternatives.length === 0 && read.value.timeZone === undefined;
  return isClear ? read.value.time.toString({ smallestUnit: 'minute' }) : typed?.replace(/^at\s{1,3}/iu, '');
};

const RECORDS = 'record_transaction';
const SENTENCE_END = /[.!?;]\s|\n/u;
const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.replaceAll(AROUND, ' '));

/**
 * Shares a day between several trades of one message: a day at its beginning, or at the end of its only sentence, counts
 * for all of them. Null if it is unclear whether a day counts for the other trades.
 */
export const withSharedDay = (
  text: string,
  calls: readonly Call[],
  today: Temporal.PlainDate | undefined,
): readonly Call[] | null => {
  const count = calls.filter(({ tool }) => tool === RECORDS).length;
  if (count < 2 || !today) return calls;
  const days = datesIn(text, today, PAST_DAY).filter(({ value }) => value.status === 'date');
  const [day, ...others] = days;
  if (!day || days.length >= count) return calls;
  const before = withoutLead(text.slice(0, day.start));
  const isFirst = !isSaid(before);
  const isLast = !isSaid(text.slice(day.end)) && !SENTENCE_END.test(before);
  const read = dayOf(text.slice(day.start, day.end), today);
  if (others.length > 0 || !(isFirst || isLast) || 'kind' in read) return null;
  return calls.map((each) => (each.tool === RECORDS ? call(RECORDS, { ...each.input, ...read }) : each));
};
