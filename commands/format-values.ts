import type { MsgContext } from '#src/kernel/message.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { zoneName } from '#src/kernel/moment.ts';
import { visibleLine } from '#src/kernel/text.ts';

/** To the second, on the clock of the one who reads it. */
export const formatMoment = (at: Timestamp, { timeZone }: Pick<MsgContext, 'timeZone'>): string => {
  const local = at
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .round({ smallestUnit: 'second', roundingMode: 'floor' });
  return `${local.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${zoneName(at, timeZone)}`;
};

/** A name or a code as it is: one line, nothing in it is markup. */
export const asCode = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;
