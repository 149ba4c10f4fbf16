import type { MsgContext } from '#src/kernel/message.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { zoneName } from '#src/kernel/moment.ts';
import { visibleLine } from '#src/kernel/text.ts';

/** Writes a time to the second, in the reader's time zone. */
export const formatMoment = (at: Timestamp, { timeZone }: Pick<MsgContext, 'timeZone'>): string => {
  const local = at
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .round({ smallestUnit: 'second', roundingMode: 'floor' });
  return `${local.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${zoneName(at, timeZone)}`;
};

/** Shows a name or code literally, on one line and without markup. */
export const asCode = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;
