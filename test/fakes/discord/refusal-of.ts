import { DiscordAPIError } from 'discord.js';

/** Status and code of Discord's refusal, and the codes of what is wrong in the body. */
export const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiscordAPIError)) return `no refusal: ${String(error)}`;
  const codes = JSON.stringify(error.rawError).match(/"code":"[A-Z_]+"/gu) ?? [];
  return [error.status, error.code, ...codes.map((code) => code.slice(8, -1))].join(' ');
};
