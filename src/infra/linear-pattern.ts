import { setFlagsFromString } from 'node:v8';

/** For operators: what such a pattern is made of. */
export const LINEAR_RULES =
  'Patterns are case-sensitive JavaScript without look-around, back references and counts above 16, such as EMP-\\d{6} or (?:Case|Ref) [A-Z]+';

/**
 * A pattern that takes time in proportion to the text, whatever the text: V8 runs it on its linear engine, which has no
 * backtracking. Throws `SyntaxError` for what that engine cannot run. The engine is switched on with the first pattern.
 */
export const compileLinearPattern = (source: string): RegExp => {
  setFlagsFromString('--enable-experimental-regexp-engine');
  return new RegExp(source, 'gl');
};
