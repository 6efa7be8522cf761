import type { HookPayload } from '../payload/types'
import { discordMessage } from './discord'
import { matrixMessage, matrixUrl } from './matrix'
import type { Message } from './message'
import { teamsMessage } from './msteams'
import { messageOf } from './sentences'
import { slackMessage } from './slack'
import { telegramMessage } from './telegram'

type Formatter = (message: Message, options: Record<string, string>) => object

/**
 * Formatters of the webhook types that have a message format of their own. All other types get Gitea's JSON.
 */
const formatters: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ['slack', slackMessage],
  ['discord', discordMessage],
  ['msteams', teamsMessage],
  ['telegram', telegramMessage],
  ['matrix', matrixMessage],
])

/**
 * Builds the JSON request body of an event payload for a webhook type, or returns the reason for sending
 * nothing.
 */
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

/**
 * Returns the content type for requests of a webhook type: the one selected in the webhook's settings, but
 * always JSON for chat services.
 */
export const contentTypeOf = (type: string, selected: 'json' | 'form'): 'json' | 'form' =>
  formatters.has(type) ? 'json' : selected

/** Method, URL, and content type of requests to a type of webhook. */
interface Transport {
  method: 'POST' | 'PUT'
  url: string
  contentType: 'json' | 'form'
}

/**
 * Returns the HTTP method, URL, and content type of a webhook delivery. For Matrix, the URL contains the
 * delivery ID as a transaction ID, so that the server ignores retries of a message that it has already
 * received.
 */
export function transportOf(
  type: string,
  hook: { url: string; contentType: 'json' | 'form' },
  deliveryId: string,
): Transport {
  if (type === 'matrix') return { method: 'PUT', url: matrixUrl(hook.url, deliveryId), contentType: 'json' }
  return { method: 'POST', url: hook.url, contentType: contentTypeOf(type, hook.contentType) }
}
