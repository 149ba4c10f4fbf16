export interface Instruction {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  /** As it stands behind the flags. */
  readonly text: string;
  /** The words of the JSON form; undefined for a command of the shell. */
  readonly words: readonly string[] | undefined;
}

export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

const wordsOf = (text: string): readonly string[] | undefined => {
  if (!text.startsWith('[')) return undefined;
  return JSON.parse(text) as readonly string[];
};

const instructionOf = (line: string): Instruction => {
  const [, keyword = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
  const flags: Record<string, string> = {};
  let text = rest.trim();
  for (
    let flag = /^--([\w-]+)(?:=(\S+))?\s+/.exec(text);
    flag;
    flag = /^--([\w-]+)(?:=(\S+))?\s+/.exec(text)
  ) {
    flags[flag[1] ?? ''] = flag[2] ?? '';
    text = text.slice(flag[0].length);
  }
  const command = keyword.toUpperCase() === 'HEALTHCHECK' ? text.replace(/^CMD\s+/, '') : text;
  return { keyword: keyword.toUpperCase(), flags, text, words: wordsOf(command) };
};

/** The stages of a Dockerfile. Throws on an instruction before the first stage. */
export const parseDockerfile = (text: string): readonly Stage[] => {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stages: {
    readonly image: string;
    readonly name: string | undefined;
    readonly instructions: Instruction[];
  }[] = [];
  for (const instruction of lines.map(instructionOf)) {
    if (instruction.keyword === 'FROM') {
      const [image = '', , name] = instruction.text.split(/\s+/);
      stages.push({ image, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${instruction.keyword} stands before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
};

/** `A=1 B="two words"`. */
export const pairsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  );

const lastOf = ({ instructions }: Stage, keyword: string): Instruction | undefined =>
  instructions.findLast((each) => each.keyword === keyword);

/** What is wrong with the Dockerfile, as far as reading it tells. */
export const dockerfileProblems = (text: string): readonly string[] => {
  const stages = parseDockerfile(text);
  const last = stages.at(-1);
  if (!last) return ['it has no stage'];
  const user = lastOf(last, 'USER')?.text ?? 'root';
  const [program = ''] = lastOf(last, 'CMD')?.words ?? [];
  const all = stages.flatMap(({ instructions }) => instructions);
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [
      !/^[1-9]\d*:[1-9]\d*$/.test(user),
      `it runs as ${user}: name a user and a group by numbers that are not 0`,
    ],
    [program === '', 'CMD has not the JSON form, so a shell would get the signals'],
    [['npm', 'npx', 'sh', 'bash'].includes(program), `${program} would get the signals instead of Node`],
    [lastOf(last, 'HEALTHCHECK')?.words === undefined, 'it has no HEALTHCHECK in the JSON form'],
    [lastOf(last, 'STOPSIGNAL')?.text !== 'SIGTERM', 'STOPSIGNAL is not SIGTERM'],
    [lastOf(last, 'VOLUME') === undefined, 'there is no VOLUME for the data'],
    [
      stages.some(({ image }) => !/:(?!latest$)[\w.-]+$/.test(image)),
      'a base image has no tag, or the tag latest, so each build may get another one',
    ],
    [/--platform|\b(?:amd64|x86_64|arm64|aarch64)\b/.test(text), 'it is made for one kind of processor'],
    [all.some(({ keyword }) => keyword === 'ADD'), 'ADD may download or unpack: use COPY'],
    [
      all.some(
        ({ keyword, text: run }) =>
          keyword === 'RUN' && /\bnpm (?:ci|install)\b/.test(run) && !run.includes('--omit=dev'),
      ),
      'it installs development packages',
    ],
    [
      all.some(
        ({ keyword, text: set }) => /^(?:ENV|ARG)$/.test(keyword) && /TOKEN|KEY|PASSWORD|SECRET/.test(set),
      ),
      'it holds a secret, which everybody who has the image could read',
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => `Dockerfile: ${problem}`);
};
