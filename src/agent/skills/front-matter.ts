/** What stands above a document between two lines of `---`, and the document. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

const RULE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z][\w-]*):(?:[ \t](.*))?$/;
/** `>` and `|`: the value stands on the lines below. */
const BELOW = /^[>|][+-]?$/;
const QUOTED = /^(?:"(.*)"|'(.*)')$/;

const unquoted = (value: string): string => {
  const [, double, single] = QUOTED.exec(value) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, '$1');
  return single === undefined ? value : single.replaceAll("''", "'");
};

const parseFields = (lines: readonly string[]): ReadonlyMap<string, string> => {
  const fields = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lines) {
    const [, key, value = ''] = FIELD.exec(line) ?? [];
    if (key !== undefined) {
      current = BELOW.test(value.trim()) ? [] : [value.trim()];
      fields.set(key, current);
    } else if (/^[ \t]/.test(line)) {
      current.push(line.trim());
    }
  }
  return new Map([...fields].map(([key, parts]) => [key, unquoted(parts.join(' ').trim())]));
};

/**
 * Reads `key: value`, with quotes and with values that go on over indented lines, which are joined by
 * blanks. Lists and nested values come out as text, and nobody asks for them. Undefined where the document
 * does not begin with such a block.
 */
export const parseFrontMatter = (document: string): FrontMatter | undefined => {
  const [first = '', ...lines] = document.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines.findIndex((line) => RULE.test(line));
  if (!RULE.test(first) || end < 0) return undefined;
  return {
    fields: parseFields(lines.slice(0, end)),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
};
