import type { ControlTokenResult } from '#src/chat/delivery/control-tokens.ts';

const FLAGS = {
  hasNoReply: 'NO_REPLY',
  hasSilentReply: 'SILENT_REPLY',
  hasHeartbeat: 'HEARTBEAT_OK',
  needsInput: 'NEED_INPUT',
  needsDisclaimer: 'ATTACH_DISCLAIMER',
  needsQuote: 'ATTACH_QUOTE',
} as const;

/** The names of the tokens that an answer held. */
export const tokensOf = (result: ControlTokenResult): ReadonlySet<string> =>
  new Set(
    (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).flatMap((flag) => (result[flag] ? [FLAGS[flag]] : [])),
  );
