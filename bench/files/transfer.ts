import { createHash, randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

const mib = 1024 * 1024
// The same mebibyte is sent repeatedly, because generating random data would cost as much as sending it.
const block = randomFillSync(Buffer.alloc(mib))

export const digestOf = (mebibytes: number): string => {
  const hash = createHash('sha256')
  for (let sent = 0; sent < mebibytes; sent++) hash.update(block)
  return `sha256:${hash.digest('hex')}`
}

export interface Upload {
  url: string
  token: string
  mebibytes: number
  /** Whether to send the file in a form instead of as the raw body. */
  asForm: boolean
}

/** Uploads a file and returns the response body and the duration in seconds. */
export async function upload({
  url,
  token,
  mebibytes,
  asForm,
}: Upload): Promise<{ answer: string; seconds: number }> {
  const [head, tail] = asForm
    ? [
        '--cut\r\ncontent-disposition: form-data; name="attachment"; filename="bench"\r\n' +
          'content-type: application/octet-stream\r\n\r\n',
        '\r\n--cut--\r\n',
      ]
    : ['', '']
  const started = performance.now()
  const call = request(url, {
    method: 'POST',
    headers: {
      authorization: `token ${token}`,
      'content-type': asForm ? 'multipart/form-data; boundary=cut' : 'application/octet-stream',
      'content-length': head.length + mebibytes * mib + tail.length,
    },
  })
  const answered = once(call, 'response')
  if (head) call.write(head)
  for (let sent = 0; sent < mebibytes; sent++) if (!call.write(block)) await once(call, 'drain')
  call.end(tail)
  const [response] = (await answered) as [IncomingMessage]
  const answer = await text(response)
  if ((response.statusCode ?? 0) >= 300) throw new Error(`${response.statusCode}: ${answer}`)
  return { answer, seconds: (performance.now() - started) / 1000 }
}

/** Downloads a file and returns its size in MiB and the duration in seconds. */
export async function download(url: string): Promise<{ mebibytes: number; seconds: number }> {
  const started = performance.now()
  const call = request(url).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return { mebibytes: bytes / mib, seconds: (performance.now() - started) / 1000 }
}
