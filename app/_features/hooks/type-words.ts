import type { HookType } from '@/server/hooks/schema'

/** What a type of hook is called, what it needs, and where its address comes from. */
export interface TypeWords {
  name: string
  /** What arrives there. */
  about: string
  /** Where to get the address. */
  address: string
  placeholder: string
  /** It gets messages, always as JSON, instead of events. */
  isChat?: boolean
}

const noMessages = 'gets the JSON of events as Gitea sends it: this site writes no messages for it.'

/** The types in the order they are offered in. */
export const typeWords: Record<HookType, TypeWords> = {
  gitea: {
    name: 'A program',
    about:
      'Sends the JSON of events as Gitea does, signed: for programs of your own, builds and deployments.',
    address: 'Where the program takes POST requests.',
    placeholder: 'https://ci.example.com/hooks',
  },
  slack: {
    name: 'Slack',
    about: 'Writes a message to a channel.',
    address:
      'In Slack, add the app “Incoming Webhooks” to the workspace, choose a channel, and copy its webhook URL.',
    placeholder: 'https://hooks.slack.com/services/…',
    isChat: true,
  },
  discord: {
    name: 'Discord',
    about: 'Writes a message to a channel.',
    address:
      'In Discord, open the settings of the channel, then Integrations, Webhooks, and copy the webhook URL.',
    placeholder: 'https://discord.com/api/webhooks/…',
    isChat: true,
  },
  msteams: {
    name: 'Microsoft Teams',
    about: 'Writes a card to a channel.',
    address:
      'In Teams, open Workflows of the channel, choose “Post to a channel when a webhook request is received”, and copy the URL.',
    placeholder: 'https://….logic.azure.com/workflows/…',
    isChat: true,
  },
  telegram: {
    name: 'Telegram',
    about: 'Writes a message to a chat.',
    address: 'Ask @BotFather for a bot and put its token and the id of the chat into the address.',
    placeholder: 'https://api.telegram.org/bot…/sendMessage?chat_id=…',
    isChat: true,
  },
  matrix: {
    name: 'Matrix',
    about: 'Writes a message to a room.',
    address:
      'The address of the home server with the id of the room. The access token goes below, as “Bearer …” in the authorization header.',
    placeholder: 'https://matrix.example.com/_matrix/client/v3/rooms/…/send/m.room.message',
    isChat: true,
  },
  gogs: {
    name: 'A program that knows Gogs',
    about: 'Sends the same JSON as to any program.',
    address: 'Where the program takes POST requests.',
    placeholder: 'https://ci.example.com/hooks',
  },
  dingtalk: {
    name: 'DingTalk',
    about: `DingTalk ${noMessages}`,
    address: 'From the settings of the robot.',
    placeholder: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  },
  feishu: {
    name: 'Feishu',
    about: `Feishu ${noMessages}`,
    address: 'From the settings of the bot.',
    placeholder: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
  },
  wechatwork: {
    name: 'WeCom',
    about: `WeCom ${noMessages}`,
    address: 'From the settings of the bot.',
    placeholder: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  },
  packagist: {
    name: 'Packagist',
    about: `Packagist ${noMessages}`,
    address: 'From the page of the package.',
    placeholder: 'https://packagist.org/api/update-package?…',
  },
}

/** What a hook's type is called. */
export const typeName = (type: string): string =>
  Object.hasOwn(typeWords, type) ? typeWords[type as HookType].name : type

/** The type named in an address; what most hooks are for any other word. */
export const typeFromAddress = (word: string): HookType =>
  Object.hasOwn(typeWords, word) ? (word as HookType) : 'gitea'
