import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

/** Masks one string of a JSON text. `name` is its key, after the key of the surrounding object. */
export type MaskString = (value: string, name: string) => Steps<string>;

const [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 44, 91, 93, 123, 125];

/** Real data is never nested deeper, and the parser is slow for input that is. */
const MAX_NESTING = 500;

/** Brackets inside strings count too, which can only overestimate the depth. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let index = 0; index < text.length && depth <= MAX_NESTING; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && depth > 0) depth -= 1;
  }
  return depth > MAX_NESTING;
};

export const isJsonText = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text) || isTooDeep(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The index of the closing quote of the string that starts at `start`. */
const endOfString = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
};

const decoded = (raw: string): string => (raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw);

const BLANKS = ' \t\r\n';

const isKey = (json: string, end: number): boolean => {
  let next = end + 1;
  while (next < json.length && BLANKS.includes(json.charAt(next))) next += 1;
  return json[next] === ':';
};

/**
 * Masks the string values of a valid JSON text and copies everything else verbatim. Parsing and serializing it
 * would turn 1.10 into 1.1.
 */
export const maskJsonStrings = function* (json: string, mask: MaskString): Steps<string> {
  /** The keys of all open objects and arrays. */
  const around: string[] = [];
  let name = '';
  let masked = '';
  let copied = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) around.push(name);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) around.pop();
    else if (code === COMMA) name = around.at(-1) ?? '';
    if (code !== QUOTE) continue;
    const end = endOfString(json, index);
    const value = decoded(json.slice(index + 1, end));
    if (isKey(json, end)) {
      name = value;
    } else {
      const outer = around.at(-1) ?? '';
      const changed = yield* mask(value, outer === name ? name : `${outer} ${name}`);
      if (changed !== value) {
        masked += json.slice(copied, index) + JSON.stringify(changed);
        copied = end + 1;
      }
    }
    index = end;
    yield;
  }
  return masked + json.slice(copied);
};
