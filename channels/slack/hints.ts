import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { isNamed, type WriteHint } from '#src/kernel/command-hints.ts';

/** The command that always works. It also runs all other commands. */
export const OWN_COMMAND = '/finclaw';

/** Slack reserves these names. Our commands of these names run through `/finclaw`. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'active apps archive away call canvas collapse dm dnd expand feed feedback help huddle invite join keys kick ' +
    'leave me msg mute open part people prefs remind remove rename search settings share shortcuts shrug star ' +
    'status topic unarchive who'
  ).split(' '),
);

/** An alias replaces a name that Slack reserves: `/search` is `/find`. */
export const slackName = ({ name, aliases }: CommandDefinition): string | undefined =>
  [name, ...aliases.filter((alias) => /^[a-z]{3,}$/u.test(alias))].find((each) => !RESERVED.has(each));

const NAMED = /^--(\p{L}[\p{L}\p{N}_-]*)=(.*)$/su;

/** Writes a command as people type it on Slack: `/find hynix`, `/finclaw help price`. */
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
