import type { HookPayload } from '../payload/types'
import { discordMessage } from './discord'
import { matrixMessage, matrixUrl } from './matrix'
import type { Message } from './message'
import { teamsMessage } from './msteams'
import { messageOf } from './sentences'
import { slackMessage } from './slack'
import { telegramMessage } from './telegram'

type Formatter = (message: Message, options: Record<string, string>) => object

/** Types that have messages of their own; all others get Gitea's JSON. */
const formatters: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ['slack', slackMessage],
  ['discord', discordMessage],
  ['msteams', teamsMessage],
  ['telegram', telegramMessage],
  ['matrix', matrixMessage],
])

/** Makes the JSON that a type of hook gets for a payload, or says why it gets none. */
export function formatBody(
  type: string,
  payload: HookPayload,
  options: Record<string, string>,
): { body: string } | { skipped: 'no_commits' } {
  const isForPrograms = type === 'gitea' || type === 'gogs'
  if (payload.eventType === 'push' && payload.body.commits.length === 0 && !isForPrograms) {
    return { skipped: 'no_commits' }
  }
  const format = formatters.get(type)
  return format
    ? { body: JSON.stringify(format(messageOf(payload), options), null, 2) }
    : { body: JSON.stringify(payload.body, null, payload.indent) }
}

/** What a type of hook is sent as: chats read JSON alone, whatever the hook says. */
export const contentTypeOf = (type: string, chosen: 'json' | 'form'): 'json' | 'form' =>
  formatters.has(type) ? 'json' : chosen

/** How a type of hook is asked. */
interface Transport {
  method: 'POST' | 'PUT'
  url: string
  contentType: 'json' | 'form'
}

/** Says how a delivery is sent to a hook's address; Matrix takes one id once, however often it is sent. */
export function transportOf(
  type: string,
  hook: { url: string; contentType: 'json' | 'form' },
  deliveryId: string,
): Transport {
  if (type === 'matrix') return { method: 'PUT', url: matrixUrl(hook.url, deliveryId), contentType: 'json' }
  return { method: 'POST', url: hook.url, contentType: contentTypeOf(type, hook.contentType) }
}
