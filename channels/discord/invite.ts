/** What the bot needs in a server, by the names of Discord's own settings. */
export const PERMISSIONS = {
  'View Channels': 1n << 10n,
  'Send Messages': 1n << 11n,
  'Send Messages in Threads': 1n << 38n,
  'Embed Links': 1n << 14n,
  'Attach Files': 1n << 15n,
  'Read Message History': 1n << 16n,
  'Add Reactions': 1n << 6n,
} as const;

/** The link by which somebody who runs a server adds the bot to it, with exactly what it needs. */
export const inviteUrl = (applicationId: string): string => {
  const permissions = Object.values(PERMISSIONS).reduce((all, one) => all | one, 0n);
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(permissions),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
};
