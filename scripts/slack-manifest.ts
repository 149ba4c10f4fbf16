import { commandDefinitions } from '#commands/index.ts';
import { slackManifest } from '#channels/slack/manifest.ts';

// Prints the manifest from which Slack creates the app: api.slack.com/apps → Create New App → From a manifest.
console.log(JSON.stringify(slackManifest(commandDefinitions), null, 2));
