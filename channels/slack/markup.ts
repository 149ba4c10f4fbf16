import type { PlatformMarkup } from '#src/kernel/platform-markup.ts';
import { allOptions, type CommandDefinition } from '#src/kernel/command-definition.ts';
import { isNamed, type WriteHint } from '#src/kernel/command-hints.ts';

const withoutScheme = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '');

/** Slack labels every address that it found itself with the bare address. That label says nothing new. */
const labelled = (address: string, label: string): string =>
  withoutScheme(label) === withoutScheme(address) || label === ''
    ? address.replace(/^(?:mailto|tel):/i, '')
    : `${label} (${address})`;

export const slackMarkup: PlatformMarkup = {
  mention: /<@[A-Za-z0-9]+(?:\|[^<>]*)?>/g,
  chatMention: /<#([A-Z][A-Z0-9]*)(?:\|[^<>]*)?>/g,
  chatId: /^#?([CG][A-Z0-9]{2,20})$/,
  rules: [
    {
      pattern: /<!subteam\^[A-Z0-9]+(?:\|@?([^<>|]*))?>/g,
      readable: (_found, [name]) => `@${name?.trim() || 'group'}`,
    },
    { pattern: /<!date\^[^<>|]*\|([^<>|]*)>/g, readable: (_found, [fallback = '']) => fallback },
    { pattern: /<!(here|channel|everyone)(?:\|[^<>]*)?>/g, readable: (_found, [whom = '']) => whom },
    {
      pattern: /<((?:https?:\/\/|mailto:|tel:)[^\s<>|]+)\|([^<>]*)>/gi,
      readable: (_found, [address = '', label = '']) => labelled(address, label.trim()),
    },
    {
      pattern: /<#([A-Z][A-Z0-9]*)(?:\|([^<>|]*))?>/g,
      readable: (_found, [id = '', name]) => `#${name?.trim() || id}`,
    },
  ],
};

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
    const option = allOptions(definition).find((each) => each.isNamed && isNamed(each, flag));
    return option ? `${option.name}:${value}` : word;
  });
  const command = name === undefined ? `${OWN_COMMAND} ${definition.name}` : `/${name}`;
  return `\`${[command, ...typed].join(' ').trim()}\``;
};
