import { visibleLine } from '#src/kernel/text.ts';

/** Shows a name or code literally, on one line and without markup. */
export const asCode = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;
