import { createHmac } from 'node:crypto'
import { base64In } from '../secret'

/** What a delivery is signed over, and with. */
export interface Signed {
  /** Of the delivery: the same with each attempt. */
  uuid: string
  /** The JSON that forges of this family sign, also where it is sent as a form. */
  json: string
  /** What is sent, which Standard Webhooks sign. */
  body: string
  sentAt: Date
  /** None: the signatures of the family are empty, and there is none by the standard. */
  secret: string | undefined
  /** The secret that this one replaced, while receivers may still hold it. */
  formerSecret: string | undefined
}

/** The headers that prove who sent a delivery: those of Gitea, Gogs and GitHub, and those of Standard Webhooks. */
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

// The standard writes its secrets as base64 behind a prefix; any other text is taken for its bytes.
function keyOf(secret: string): Buffer {
  const base64 = base64In(secret)
  return base64 === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(base64, 'base64')
}
