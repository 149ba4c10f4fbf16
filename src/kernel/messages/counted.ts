/** `1 entry`, `2 entries`, `1,234 alerts`: an English noun after its number. A text is a number that is formatted already. */
export const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 || count === '1' ? one : many}`;
