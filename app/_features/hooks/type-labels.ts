import type { HookType } from '@/server/hooks/schema'

/** Name, description, and URL instructions of a hook type. */
export interface TypeLabels {
  name: string
  /** What the hook sends there. */
  about: string
  /** Instructions for getting the URL. */
  address: string
  placeholder: string
  /** Whether the hook sends chat messages, always as JSON, instead of events. */
  isChat?: boolean
}

const noMessages = 'receives events as JSON in Gitea’s format, not as chat messages.'

/** The types in the order of the form. */
export const typeLabels: Record<HookType, TypeLabels> = {
  gitea: {
    name: 'HTTP endpoint',
    about: 'Sends events as JSON in Gitea’s format, for CI, deployments, and your own programs.',
    address: 'The URL that will receive POST requests.',
    placeholder: 'https://ci.example.com/hooks',
  },
  slack: {
    name: 'Slack',
    about: 'Posts messages to a channel.',
    address:
      'In Slack, add the “Incoming Webhooks” app to your workspace, choose a channel, and copy the webhook URL.',
    placeholder: 'https://hooks.slack.com/services/…',
    isChat: true,
  },
  discord: {
    name: 'Discord',
    about: 'Posts messages to a channel.',
    address:
      'In Discord, open the channel settings, go to Integrations > Webhooks, and copy the webhook URL.',
    placeholder: 'https://discord.com/api/webhooks/…',
    isChat: true,
  },
  msteams: {
    name: 'Microsoft Teams',
    about: 'Posts cards to a channel.',
    address:
      'In Teams, open the channel’s Workflows, choose “Post to a channel when a webhook request is received”, and copy the URL.',
    placeholder: 'https://….logic.azure.com/workflows/…',
    isChat: true,
  },
  telegram: {
    name: 'Telegram',
    about: 'Posts messages to a chat.',
    address: 'Create a bot with @BotFather, and put its token and the chat ID in the URL.',
    placeholder: 'https://api.telegram.org/bot…/sendMessage?chat_id=…',
    isChat: true,
  },
  matrix: {
    name: 'Matrix',
    about: 'Posts messages to a room.',
    address:
      'The URL of your homeserver, including the room ID. Enter the access token below as the authorization header “Bearer …”.',
    placeholder: 'https://matrix.example.com/_matrix/client/v3/rooms/…/send/m.room.message',
    isChat: true,
  },
  gogs: {
    name: 'HTTP endpoint (Gogs)',
    about: 'Sends the same requests as “HTTP endpoint”, for receivers built for Gogs.',
    address: 'The URL that will receive POST requests.',
    placeholder: 'https://ci.example.com/hooks',
  },
  dingtalk: {
    name: 'DingTalk',
    about: `DingTalk ${noMessages}`,
    address: 'Copy it from the robot’s settings.',
    placeholder: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  },
  feishu: {
    name: 'Feishu',
    about: `Feishu ${noMessages}`,
    address: 'Copy it from the bot’s settings.',
    placeholder: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
  },
  wechatwork: {
    name: 'WeCom',
    about: `WeCom ${noMessages}`,
    address: 'Copy it from the bot’s settings.',
    placeholder: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  },
  packagist: {
    name: 'Packagist',
    about: `Packagist ${noMessages}`,
    address: 'Copy it from the package’s page.',
    placeholder: 'https://packagist.org/api/update-package?…',
  },
}

/** Returns the name of a hook type. */
export const typeName = (type: string): string =>
  Object.hasOwn(typeLabels, type) ? typeLabels[type as HookType].name : type

/** Returns the type named in a query, or the default type for an unknown name. */
export const typeFromAddress = (word: string): HookType =>
  Object.hasOwn(typeLabels, word) ? (word as HookType) : 'gitea'
