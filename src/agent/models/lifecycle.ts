import type { ModelEntry } from './catalog.ts';

const WARN_DAYS_BEFORE = 90;
const ADVICE = 'set FINCLAW_MODEL or FINCLAW_FALLBACKS to a current model';

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const warningFor = (entry: ModelEntry, today: Temporal.PlainDate): string | undefined => {
  const name = `The model ${entry.id}`;
  const end = entry.endOfLife;
  const daysLeft = end === undefined ? Infinity : today.until(end).days;
  if (daysLeft <= 0) return `${name} was shut down on ${end}: ${ADVICE}.`;
  if (daysLeft <= WARN_DAYS_BEFORE)
    return `${name} will be shut down on ${end}, in ${days(daysLeft)}: ${ADVICE}.`;
  if (!entry.deprecated) return undefined;
  return `${name} is deprecated${end === undefined ? '' : ` and will be shut down on ${end}`}: ${ADVICE}.`;
};

/**
 * What the operator should know about the models in use, one sentence a model: it ended, it ends within 90
 * days, or it is deprecated. The day on which a model ends counts as ended.
 */
export const lifecycleWarnings = (
  entries: readonly ModelEntry[],
  today: Temporal.PlainDate,
): readonly string[] =>
  [...new Set(entries)].map((entry) => warningFor(entry, today)).filter((warning) => warning !== undefined);
