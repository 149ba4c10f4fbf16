import { SlackRefusal } from '../errors.ts';
import { isSet, type Methods, required } from '../method.ts';
import { wireUser } from '../wire.ts';
import { APP_ID, BOT, TEAM } from '../world.ts';

/** Who the bot is, and who the people are. */
export const identityMethods: Methods = {
  'auth.test': {
    scopes: [],
    run: () => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      user: BOT.name,
      team_id: TEAM.id,
      user_id: BOT.userId,
      bot_id: BOT.botId,
      is_enterprise_install: false,
    }),
  },
  'team.info': { scopes: ['team:read'], run: () => ({ team: { ...TEAM, email_domain: '' } }) },
  'bots.info': {
    scopes: ['users:read'],
    run: () => ({
      bot: { id: BOT.botId, app_id: APP_ID, user_id: BOT.userId, name: BOT.name, deleted: false },
    }),
  },
  'users.info': {
    scopes: ['users:read'],
    run: ({ core, args }) => {
      const user = core.world.users.get(required(args, 'user', 'user_not_found'));
      if (!user) throw new SlackRefusal('user_not_found');
      return { user: wireUser(user, isSet(args, 'include_locale')) };
    },
  },
};
