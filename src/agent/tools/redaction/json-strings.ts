import type { Steps } from '#src/platform/cooperative-tasks.ts';

/** What becomes of a string in JSON; `name` is what it is called there, with the name of what it stands in. */
export type MaskString = (value: string, name: string) => Steps<string>;

const [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 44, 91, 93, 123, 125];

/** Nobody nests deeper, and the parser takes long for what does. */
const MAX_NESTING = 500;

/** Brackets in strings count too: they only make it too deep sooner. */
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

/** The index of the quote that ends the string which begins at `start`. */
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
 * Masks the string values of a valid JSON text. Everything else (names, numbers to their last digit, blanks)
 * stays as it is written: parsing and writing it again would turn 1.10 into 1.1.
 */
export const maskJsonStrings = function* (json: string, mask: MaskString): Steps<string> {
  /** For each open object its name, for each open array that of its elements. */
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
