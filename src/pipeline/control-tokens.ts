import { CONTROL_TOKEN_NAMES } from '#src/core/text.ts';

type TokenName = (typeof CONTROL_TOKEN_NAMES)[number];

export interface ControlTokenResult {
  readonly cleanContent: string;
  readonly tokens: ReadonlySet<TokenName>;
}

/** The blanks before a token go with it; a match begins only where a run of blanks does, or long ones would cost. */
const PATTERN = new RegExp(`(?<![ \\t])[ \\t]*<<(${CONTROL_TOKEN_NAMES.join('|')})>>`, 'g');

/** Takes the known tokens out of an answer. What only looks like one stays: a person may write `<<EOF`. */
export const extractControlTokens = (answer: string): ControlTokenResult => {
  const tokens = new Set<TokenName>();
  const cleanContent = answer.replace(PATTERN, (_match, name: TokenName) => {
    tokens.add(name);
    return '';
  });
  return { cleanContent: cleanContent.trim(), tokens };
};
