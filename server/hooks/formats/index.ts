import type { HookPayload } from '../payload/types'
import { discordMessage } from './discord'
import { matrixMessage, matrixUrl } from './matrix'
import type { Message } from './message'
import { teamsMessage } from './msteams'
import { messageOf } from './sentences'
import { slackMessage } from './slack'
import { telegramMessage } from './telegram'

type Formatter = (message: Message, options: Record<string, string>) => object

/** Types with their own message format; all others get Gitea's JSON. */
const formatters: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ['slack', slackMessage],
  ['discord', discordMessage],
  ['msteams', teamsMessage],
  ['telegram', telegramMessage],
  ['matrix', matrixMessage],
])

/** Builds the JSON of a payload for a type of hook, or returns why there is none. */
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

/** The content type for a type of hook. Chats accept only JSON, whatever the hook says. */
export const contentTypeOf = (type: string, selected: 'json' | 'form'): 'json' | 'form' =>
  formatters.has(type) ? 'json' : selected

/** How requests to a type of hook are made. */
interface Transport {
  method: 'POST' | 'PUT'
  url: string
  contentType: 'json' | 'form'
}

/** Returns the method and URL of a delivery. Matrix accepts each id once, however often it is sent. */
export function transportOf(
  type: string,
  hook: { url: string; contentType: 'json' | 'form' },
  deliveryId: string,
): Transport {
  if (type === 'matrix') return { method: 'PUT', url: matrixUrl(hook.url, deliveryId), contentType: 'json' }
  return { method: 'POST', url: hook.url, contentType: contentTypeOf(type, hook.contentType) }
}
