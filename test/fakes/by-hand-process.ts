import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { commandDefinitions } from '#commands/index.ts';
import { readHint } from '#src/platform/text/command-hints.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import type { Call, Place, Platform, Seen } from '#test/support/platforms/driver.ts';
import { openSlack } from '#test/support/platforms/slack.ts';

// `npm run fake:discord`, `npm run fake:slack`: a platform to talk on by hand. It refuses what the real one refuses, and
// says so. The bot is started beside it with the line that is printed.

const HELP = `  words          a direct message to the bot
  @ words        a mention in the channel
  # words        a message in the channel
  /price AAPL    a command, in the direct chat; after @ or # in the channel
  3              presses the button [3]
  form a | b     fills in the form that was opened
  help, quit`;

const LOOK_EVERY_MS = 150;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const dim = (text: string): string => styleText('dim', text);
const assignments = (env: NodeJS.ProcessEnv): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

const talkOn = (platform: Platform) => {
  const { boss } = platform;
  const places: Readonly<Record<string, Place>> = {
    'direct chat': platform.direct(boss),
    '#general': platform.addRoom('general'),
  };
  const { 'direct chat': direct, '#general': room } = places;
  if (!direct || !room) throw new Error('there is no place to talk');
  /** Buttons in the order in which they were shown. */
  const buttons: { readonly seen: Seen; readonly label: string }[] = [];
  /** By message: how it was printed last, and how it looked the time before this one. */
  const printed = new Map<string, string>();
  const before = new Map<string, string>();
  let offences = 0;
  let last: Call | undefined;

  const show = (where: string, seen: Seen): void => {
    const key = `${where} ${seen.id}`;
    const look = JSON.stringify([seen.text, seen.buttons, seen.files]);
    const isStill = before.get(key) === look && !seen.isUnderWay;
    before.set(key, look);
    if (!isStill || printed.get(key) === look) return;
    const marks = [printed.has(key) ? 'changed' : '', seen.isPrivate ? 'only you see it' : ''];
    printed.set(key, look);
    print(dim(`\n── ${[where, ...marks.filter((mark) => mark !== '')].join(', ')}`));
    print(seen.text);
    for (const file of seen.files) print(dim(`(file: ${file})`));
    const labels = seen.buttons.map(({ label, isEnabled }) => {
      if (!isEnabled) return dim(`(${label})`);
      buttons.push({ seen, label });
      return `[${buttons.length}] ${label}`;
    });
    if (labels.length > 0) print(labels.join('  '));
  };

  const look = (): void => {
    for (const [where, place] of Object.entries(places))
      for (const seen of platform.seenBy(boss, place)) show(where, seen);
    const found = platform.offences();
    for (const offence of found.slice(offences)) print(styleText('red', `refused: ${offence}`));
    offences = found.length;
    const form = last?.form();
    if (form === undefined) return;
    print(dim(`\n── a form: ${form.join(' | ')}`));
    last = { ...(last as Call), form: () => undefined };
  };

  const call = (place: Place, typed: string): Call => {
    const [name = '', ...words] = typed.slice(1).split(' ');
    const { definition, subcommand, values = [] } = readHint(typed, commandDefinitions) ?? {};
    const filled = values.flatMap(({ option, value }) => (value === undefined ? [] : [[option.name, value]]));
    const options =
      subcommand || words.length === 0 ? { words: words.join(' ') } : Object.fromEntries(filled);
    return platform.call(boss, place, definition?.name ?? name, words.length === 0 ? {} : options);
  };

  const act = (line: string): void => {
    const [mark, rest = ''] = /^([@#]) ?(.*)$/su.exec(line)?.slice(1) ?? ['', line];
    const place = mark === '' ? direct : room;
    const pressed = buttons[Number(rest) - 1];
    if (rest.startsWith('form ') && last)
      last = last.fillIn(
        rest
          .slice(5)
          .split('|')
          .map((value) => value.trim()),
      );
    else if (pressed) last = platform.press(boss, pressed.seen, pressed.label);
    else if (rest.startsWith('/')) last = call(place, rest);
    else platform.say(boss, place, rest, { mention: mark === '@' });
  };
  return { look, act };
};

const platform = process.argv[2] === 'slack' ? await openSlack() : await openDiscord();
const { look, act } = talkOn(platform);
print(
  `Start the bot beside it:\n\n  ${assignments(platform.env)} FINCLAW_MARKET=sample npm start\n\n${HELP}\n`,
);
const looking = setInterval(look, LOOK_EVERY_MS);
for await (const line of createInterface({ input: process.stdin })) {
  const typed = line.trim();
  if (typed === 'quit') break;
  if (typed === 'help') print(HELP);
  else if (typed !== '')
    try {
      act(typed);
    } catch (error) {
      print(styleText('red', error instanceof Error ? error.message : String(error)));
    }
}
clearInterval(looking);
await platform.close();
