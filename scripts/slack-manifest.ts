import { parseArgs } from 'node:util';
import { commandDefinitions } from '#commands/index.ts';
import { slackManifest } from '#channels/slack/manifest.ts';

// Prints the manifest from which Slack creates the app: api.slack.com/apps → Create New App → From a manifest. With the
// public address of the bot, as in `npm run --silent slack:manifest -- https://bot.example.com`, it is for HTTP mode. With
// `--all-commands` every command gets a name of its own beside `/finclaw`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'all-commands': { type: 'boolean', default: false } },
});
const [publicUrl] = positionals;
if (publicUrl !== undefined && (!URL.canParse(publicUrl) || new URL(publicUrl).protocol !== 'https:')) {
  console.error('Slack needs the public address of the bot with https, such as https://bot.example.com.');
  process.exit(1);
}
const address = publicUrl === undefined ? undefined : new URL(publicUrl);
const base = address && `${address.origin}${address.pathname}`;
const options = { publicUrl: base, hasAllCommands: values['all-commands'] };
console.log(JSON.stringify(slackManifest(commandDefinitions, options), null, 2));
