/** Commands that the plan names and this version does not have: who types one is told so. */
const LATER_COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['portfolio', ['pf', '포트폴리오', 'balance']],
  ['alert', ['알림']],
]);

const BY_NAME = new Map(
  [...LATER_COMMANDS].flatMap(([name, aliases]) => [name, ...aliases].map((each) => [each, name])),
);

/** The name of the command that is still to come; undefined where none is planned under this one. */
export const laterCommandOf = (typed: string): string | undefined => BY_NAME.get(typed.toLowerCase());
