export const code = (text: string): string => `\`${text}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row, index) => `| ${row.map(index === 1 ? String : cell).join(' | ')} |`)
    .join('\n');

/** The first lines of a page that `npm run docs` writes. */
export const heading = (title: string): string =>
  `# ${title}\n\n<!-- Written by \`npm run docs\`. Change the definitions in the code, not this page. -->`;
