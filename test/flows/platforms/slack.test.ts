import { slackKit } from '#test/support/platforms/slack.ts';
import { slackSocketCases } from './cases/slack-socket.ts';
import { runCases } from './run-cases.ts';

runCases(slackKit);
slackSocketCases();
