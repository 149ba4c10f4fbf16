/** A line that somebody may type, and what a useful answer to it has in it. */
export interface NaturalLine {
  readonly text: string;
  /** Absent: nobody said what is expected, so the answer is only shown. */
  readonly useful?: RegExp;
  /** An answer with this in it says something false. */
  readonly wrong?: RegExp;
}

/** Lines that follow each other in one conversation. */
export interface Topic {
  readonly name: string;
  readonly lines: readonly NaturalLine[];
}

export type Grade = 'useful' | 'useless' | 'wrong' | 'ungraded';

const HEADING = /^#\s*(.*)$/u;
const SEPARATOR = ' || ';
/** What no person may ever read: it was written for a model. */
const FOR_MODELS = /Not done:|Not run:|Invalid input for|The tool \w+ |<untrusted|\[The picture is attached/u;

const lineOf = (row: string): NaturalLine => {
  const [text = '', useful, wrong] = row.split(SEPARATOR);
  return {
    text,
    ...(useful !== undefined && { useful: new RegExp(useful, 'su') }),
    ...(wrong !== undefined && { wrong: new RegExp(wrong, 'su') }),
  };
};

/** One line each; `# name` begins another topic. Behind ` || ` stands what a useful answer has, then what none may have. */
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

/** Examples of what else could be asked are no answer. */
const FALLBACK = /cannot answer this|이 질문에는 답할 수 없습니다/u;
const EXAMPLE = /"[^"\n]*"/gu;

export const gradeOf = ({ useful, wrong }: NaturalLine, answer: string): Grade => {
  if (answer === '' || wrong?.test(answer) === true || FOR_MODELS.test(answer)) return 'wrong';
  if (!useful) return 'ungraded';
  return useful.test(FALLBACK.test(answer) ? answer.replaceAll(EXAMPLE, '') : answer) ? 'useful' : 'useless';
};
