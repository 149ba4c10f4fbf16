/** Words by which the model asks the pipeline for something; never shown to a person. */
const CONTROL_TOKENS = {
  HEARTBEAT_OK: '<<HEARTBEAT_OK>>',
  NO_REPLY: '<<NO_REPLY>>',
  SILENT_REPLY: '<<SILENT_REPLY>>',
  NEED_INPUT: '<<NEED_INPUT>>',
  ATTACH_DISCLAIMER: '<<ATTACH_DISCLAIMER>>',
  ATTACH_QUOTE: '<<ATTACH_QUOTE>>',
} as const;

type TokenName = keyof typeof CONTROL_TOKENS;

export interface ControlTokenResult {
  readonly cleanContent: string;
  readonly tokens: ReadonlySet<TokenName>;
}

const NAMES = Object.keys(CONTROL_TOKENS) as readonly TokenName[];
const PATTERN = new RegExp(`[ \\t]*<<(${NAMES.join('|')})>>`, 'g');

/** Takes the known tokens out of an answer. What only looks like one stays: a person may write `<<EOF`. */
export const extractControlTokens = (answer: string): ControlTokenResult => {
  const tokens = new Set<TokenName>();
  const cleanContent = answer.replace(PATTERN, (_match, name: TokenName) => {
    tokens.add(name);
    return '';
  });
  return { cleanContent: cleanContent.trim(), tokens };
};
