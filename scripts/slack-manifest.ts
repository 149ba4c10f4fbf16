import { commandDefinitions } from '#commands/index.ts';
import { slackManifest } from '#channels/slack/manifest.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { commandFor } from '#src/platform/how-to-run.ts';
import { readOptions } from './options/read-options.ts';

// Prints the manifest from which Slack creates the app: api.slack.com/apps → Create New App → From a manifest. With the
// public address of the bot, as in `npm run --silent slack:manifest -- https://bot.example.com`, it is for HTTP mode. With
// `--all-commands` every command gets a name of its own beside `/finclaw`.
const words = () => {
  try {
    return readOptions(commandFor('slack-manifest', '[https://ADDRESS] [--all-commands]'), {
      allowPositionals: true,
      options: { 'all-commands': { type: 'boolean', default: false } },
    });
  } catch (error) {
    console.error(errorMessage(error));
    return process.exit(1);
  }
};

const { values, positionals } = words();
const [publicUrl] = positionals;
if (publicUrl !== undefined && (!URL.canParse(publicUrl) || new URL(publicUrl).protocol !== 'https:')) {
  console.error('Slack needs the public address of the bot with https, such as https://bot.example.com.');
  process.exit(1);
}
const address = publicUrl === undefined ? undefined : new URL(publicUrl);
const base = address && `${address.origin}${address.pathname}`;
const options = { publicUrl: base, hasAllCommands: values['all-commands'] };
console.log(JSON.stringify(slackManifest(commandDefinitions, options), null, 2));
