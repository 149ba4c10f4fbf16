import type { CommandDefinition } from '#src/core/command.ts';
import { isNamed, type WriteHint } from '#src/core/command-hints.ts';

/** The command that always works: all others are reached through it. */
export const OWN_COMMAND = '/finclaw';

/** Slack's own; an app cannot have them. Ours of these names are reached through `/finclaw`. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'active apps archive away call canvas collapse dm dnd expand feed feedback help huddle invite join keys kick ' +
    'leave me msg mute open part people prefs remind remove rename search settings share shortcuts shrug star ' +
    'status topic unarchive who'
  ).split(' '),
);

/** Where Slack has a command of that name, our other name for it: `/search` is `/find`. */
export const slackName = ({ name, aliases }: CommandDefinition): string | undefined =>
  [name, ...aliases.filter((alias) => /^[a-z]{3,}$/u.test(alias))].find((each) => !RESERVED.has(each));

const NAMED = /^--(\p{L}[\p{L}\p{N}_-]*)=(.*)$/su;

/** A command as it is typed on Slack, under a name that it has there: `/find hynix`, `/finclaw help price`. */
export const slackHint: WriteHint = ({ definition, words }) => {
  const name = slackName(definition);
  const typed = words.split(' ').map((word) => {
    const [, flag = '', value = ''] = NAMED.exec(word) ?? [];
    const option = definition.options?.find((each) => each.isNamed && isNamed(each, flag));
    return option ? `${option.name}:${value}` : word;
  });
  const command = name === undefined ? `${OWN_COMMAND} ${definition.name}` : `/${name}`;
  return `\`${[command, ...typed].join(' ').trim()}\``;
};
