import { createHmac } from 'node:crypto'
import { base64In } from '../secret'

/** The values that the signatures of a delivery attempt are computed from. */
export interface Signed {
  /** Id of the delivery, which is the same for each attempt. */
  uuid: string
  /** The JSON that the signatures of Gitea, Gogs, and GitHub cover, even if it is sent as a form. */
  json: string
  /** The request body, which the signature of Standard Webhooks covers. */
  body: string
  sentAt: Date
  /**
   * The secret. Without one, the HMAC in the headers of Gitea, Gogs, and GitHub is empty, and
   * `webhook-signature` is absent.
   */
  secret: string | undefined
  /** The previous secret, while receivers may still use it. */
  formerSecret: string | undefined
}

/** Returns the signature headers of Gitea, Gogs, GitHub, and Standard Webhooks. */
export function signatureHeaders(signed: Signed): Record<string, string> {
  const { secret, formerSecret } = signed
  const hex = (algorithm: 'sha1' | 'sha256'): string =>
    secret === undefined ? '' : createHmac(algorithm, secret).update(signed.json).digest('hex')
  const sha256 = hex('sha256')
  const secrets = [secret, formerSecret].filter(each => each !== undefined)
  return {
    'X-Gitea-Signature': sha256,
    'X-Gogs-Signature': sha256,
    'X-Hub-Signature': `sha1=${hex('sha1')}`,
    'X-Hub-Signature-256': `sha256=${sha256}`,
    'webhook-id': signed.uuid,
    'webhook-timestamp': seconds(signed.sentAt),
    ...(secrets.length > 0 && {
      'webhook-signature': secrets.map(each => standardSignature(signed, each)).join(' '),
    }),
  }
}

function standardSignature({ uuid, body, sentAt }: Signed, secret: string): string {
  const content = `${uuid}.${seconds(sentAt)}.${body}`
  return `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`
}

const seconds = (date: Date): string => String(Math.floor(date.getTime() / 1000))

// A Standard Webhooks secret is a prefix followed by base64. Any other text is used as raw bytes.
function keyOf(secret: string): Buffer {
  const base64 = base64In(secret)
  return base64 === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(base64, 'base64')
}
