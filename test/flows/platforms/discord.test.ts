import { discordKit } from '#test/support/platforms/discord.ts';
import { discordGatewayCases } from './cases/discord-gateway.ts';
import { runCases } from './run-cases.ts';

runCases(discordKit);
discordGatewayCases();
