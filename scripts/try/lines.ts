/** A line that a person may type, and what a useful answer to it contains. */
export interface NaturalLine {
  readonly text: string;
  /** Absent where nothing is expected; the answer is then only shown. */
  readonly useful?: RegExp;
  /** An answer that matches this is wrong. */
  readonly wrong?: RegExp;
}

/** The lines of one conversation. */
export interface Topic {
  readonly name: string;
  readonly lines: readonly NaturalLine[];
}

export type Grade = 'useful' | 'useless' | 'wrong' | 'ungraded';

const HEADING = /^#\s*(.*)$/u;
const SEPARATOR = ' || ';
/** Texts for models, which must never reach a person. */
const FOR_MODELS = /Not done:|Not run:|Invalid input for|The tool \w+ |<untrusted|\[The picture is attached/u;

const lineOf = (row: string): NaturalLine => {
  const [text = '', useful, wrong] = row.split(SEPARATOR);
  return {
    text,
    ...(useful !== undefined && { useful: new RegExp(useful, 'su') }),
    ...(wrong !== undefined && { wrong: new RegExp(wrong, 'su') }),
  };
};

/** Reads one line each; `# name` begins a topic. After ` || ` comes what a useful answer contains, then what it must not. */
export const topicsIn = (file: string): readonly Topic[] => {
  const topics: { name: string; lines: NaturalLine[] }[] = [];
  for (const row of file.split('\n').map((each) => each.trim())) {
    const heading = HEADING.exec(row)?.[1];
    if (heading !== undefined) topics.push({ name: heading, lines: [] });
    else if (row !== '') {
      if (topics.length === 0) topics.push({ name: 'lines', lines: [] });
      topics.at(-1)?.lines.push(lineOf(row));
    }
  }
  return topics;
};

/** Quoted examples in a fallback answer do not count as an answer. */
const FALLBACK = /didn't get that|이해하지 못해요/u;
const EXAMPLE = /"[^"\n]*"/gu;

export const gradeOf = ({ useful, wrong }: NaturalLine, answer: string): Grade => {
  if (answer === '' || wrong?.test(answer) === true || FOR_MODELS.test(answer)) return 'wrong';
  if (!useful) return 'ungraded';
  return useful.test(FALLBACK.test(answer) ? answer.replaceAll(EXAMPLE, '') : answer) ? 'useful' : 'useless';
};
