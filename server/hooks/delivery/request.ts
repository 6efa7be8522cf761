import type { Config } from '@/server/kernel/config'
import { unseal } from '@/server/kernel/seal'
import { productVersion } from '@/server/kernel/version'
import { transportOf } from '../formats'
import type { DueDelivery } from './due'
import { signatureHeaders } from './sign'

/** The HTTP request of one delivery attempt. */
export interface HookRequest {
  url: string
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: string
}

type Described = Pick<
  DueDelivery,
  | 'uuid'
  | 'event'
  | 'event_type'
  | 'sequence'
  | 'content_type'
  | 'attempts'
  | 'type'
  | 'url_sealed'
  | 'secret_sealed'
  | 'former_secret_sealed'
  | 'former_secret_until'
  | 'authorization_sealed'
  | 'target_type'
>

/**
 * Builds the request for the next attempt of a delivery, with the headers that receivers for Gitea, Gogs, and
 * GitHub read, and those of Standard Webhooks.
 * @throws {Error} if the instance's secret key has changed since the webhook was saved.
 */
export function buildRequest(
  config: Pick<Config, 'secretKey'>,
  delivery: Described,
  json: string,
  sentAt: Date,
): HookRequest {
  const { uuid, event, event_type: eventType, former_secret_until: formerUntil } = delivery
  const address = unseal(config, 'hook.url', delivery.url_sealed)
  const secretOf = (sealed: Buffer | null) => (sealed ? unseal(config, 'hook.secret', sealed) : undefined)
  const isFormerLive = formerUntil !== null && sentAt < formerUntil
  const hook = { url: address, contentType: delivery.content_type }
  const { method, url, contentType } = transportOf(delivery.type, hook, uuid)
  const { body, mimeType } = bodyOf(contentType, json)
  const authorization =
    delivery.authorization_sealed && unseal(config, 'hook.authorization', delivery.authorization_sealed)
  return {
    method,
    url,
    headers: {
      'User-Agent': `Guildhall/${productVersion}`,
      'Content-Type': mimeType,
      'X-Gitea-Delivery': uuid,
      'X-Gitea-Event': event,
      'X-Gitea-Event-Type': eventType,
      'X-Gitea-Hook-Installation-Target-Type': delivery.target_type,
      'X-Gogs-Delivery': uuid,
      'X-Gogs-Event': event,
      'X-Gogs-Event-Type': eventType,
      'X-GitHub-Delivery': uuid,
      'X-GitHub-Event': event,
      'X-GitHub-Event-Type': eventType,
      'X-GitHub-Hook-Installation-Target-Type': delivery.target_type,
      ...signatureHeaders({
        uuid,
        json,
        body,
        sentAt,
        secret: secretOf(delivery.secret_sealed),
        formerSecret: isFormerLive ? secretOf(delivery.former_secret_sealed) : undefined,
      }),
      'X-Guildhall-Sequence': String(delivery.sequence),
      'X-Guildhall-Attempt': String(delivery.attempts + 1),
      ...(authorization && { Authorization: authorization }),
    },
    body,
  }
}

/** Encodes the JSON of a delivery as the request body and returns the body with its MIME type. */
export function bodyOf(contentType: 'json' | 'form', json: string): { body: string; mimeType: string } {
  if (contentType === 'json') return { body: json, mimeType: 'application/json' }
  const body = new URLSearchParams({ payload: json }).toString()
  return { body, mimeType: 'application/x-www-form-urlencoded' }
}

/** Returns request headers with the `Authorization` value masked, so that they can be stored and shown. */
export function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return 'Authorization' in headers ? { ...headers, Authorization: '******' } : headers
}
