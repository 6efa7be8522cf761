import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllowedHosts } from '@/server/kernel/egress'
import { createEgress } from '@/server/kernel/egress/dispatcher'
import { receiverCertificate } from '@/testing/certificate'
import { answerWith, openReceiver, type Receiver } from '@/testing/receiver'
import { send } from './send'

const dispatcher = new Agent()
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await dispatcher.destroy()
})

const post = (url: string, timeoutMs?: number, through = dispatcher as Parameters<typeof send>[0]) =>
  send(
    through,
    { url, method: 'POST', headers: { 'X-Sent': 'yes' }, body: '{"a":1}' },
    { interrupted: new AbortController().signal, ...(timeoutMs && { timeoutMs }) },
  )

describe('the response to a delivery', () => {
  it.each([200, 201, 204, 299])('counts as a success if the status is %i', async status => {
    receiver.answer(answerWith(status, { 'X-Seen': 'yes' }, status === 204 ? '' : 'thanks'))
    const { error, answer } = await post(`${receiver.url}/hook?token=x`)
    expect(error).toBeUndefined()
    expect(answer).toMatchObject({ status, headers: { 'x-seen': 'yes' }, isTruncated: false })
    expect(answer?.body.toString()).toBe(status === 204 ? '' : 'thanks')
    expect(receiver.calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/hook?token=x',
      headers: { 'x-sent': 'yes' },
      body: '{"a":1}',
    })
  })

  it.each([400, 404, 410, 429, 500, 503])(
    'counts as a failure if the status is %i, and is kept',
    async status => {
      receiver.answer(answerWith(status, {}, 'no'))
      const { error, answer } = await post(receiver.url)
      expect(error).toBe(`answered ${status}`)
      expect(answer?.body.toString()).toBe('no')
    },
  )

  it('is not followed if it is a redirect', async () => {
    const before = receiver.calls.length
    receiver.answer(answerWith(302, { Location: `${receiver.url}/elsewhere` }))
    const { error, answer } = await post(receiver.url)
    expect(error).toBe('answered 302: redirects are not followed')
    expect(answer?.headers.location).toBe(`${receiver.url}/elsewhere`)
    expect(receiver.calls.length).toBe(before + 1)
  })

  it('is read up to 64 KiB even if the receiver sends more', async () => {
    let [written, closed] = [0, false]
    receiver.answer(response => {
      response.on('close', () => {
        closed = true
      })
      const more = (): void => {
        while (!closed && response.write('x'.repeat(1000))) written += 1000
        if (!closed) response.once('drain', more)
      }
      more()
    })
    const { error, answer } = await post(receiver.url)
    expect(error).toBeUndefined()
    expect(answer).toMatchObject({ status: 200, isTruncated: true })
    expect(answer?.body).toHaveLength(64 * 1024)
    await expect.poll(() => closed).toBe(true)
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('sending a request', () => {
  it('times out if there is no response', async () => {
    receiver.answer(() => {})
    const { error, answer, durationMs } = await post(receiver.url, 200)
    expect([error, answer]).toEqual(['timed out: no response within 0.2 seconds', undefined])
    expect(durationMs).toBeGreaterThanOrEqual(195)
  })

  it('times out if the response does not end, and keeps the bytes received', async () => {
    receiver.answer(response => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const { error, answer } = await post(receiver.url, 200)
    expect(error).toBe('timed out: the response did not end within 0.2 seconds')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer?.body.toString()).toMatch(/^\.+$/)
  })

  it('stops immediately when it is interrupted', async () => {
    receiver.answer(() => {})
    const interrupt = new AbortController()
    const request = { url: receiver.url, method: 'POST' as const, headers: {}, body: '' }
    const sent = send(dispatcher, request, { interrupted: interrupt.signal })
    await receiver.got(receiver.calls.length + 1)
    interrupt.abort(new Error('the process stops'))
    await expect(sent).rejects.toThrow('the process stops')
  })
})

describe('the error message of a failed request', () => {
  const listening = async (answer: (socket: Socket) => void) => {
    const server = createTcpServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
  }

  it('starts with "connection refused" if no server listens', async () => {
    const { server, url } = await listening(() => {})
    server.close()
    expect((await post(url)).error).toMatch(/^connection refused: /)
  })

  it('starts with "connection lost" if the receiver closes the connection', async () => {
    const { server, url } = await listening(socket => void socket.once('data', () => socket.destroy()))
    expect((await post(url)).error).toMatch(/^connection lost: /)
    server.close()
  })

  it('starts with "not an HTTP response" if the receiver does not speak HTTP', async () => {
    const { server, url } = await listening(socket => void socket.end('SSH-2.0-OpenSSH\r\n\r\n'))
    expect((await post(url)).error).toMatch(/^not an HTTP response: /)
    server.close()
  })

  it('starts with "TLS failed" for an untrusted certificate or a receiver without TLS', async () => {
    const server = createSecureServer(receiverCertificate, (_, answer) => answer.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect((await post(`https://127.0.0.1:${port}/`)).error).toMatch(/^TLS failed: /)
    const plain = await post(receiver.url.replace('http:', 'https:'))
    expect(plain.error).toMatch(/^TLS failed: /)
    server.close()
  })

  it('starts with "name not resolved" if the host name does not resolve', async () => {
    const egress = createEgress(parseAllowedHosts('*'), { lookup: async () => [] })
    const { error } = await post('http://nobody.test/', 1000, egress.dispatcher)
    expect(error).toBe('name not resolved: the name nobody.test does not resolve')
    await egress.close()
  })

  it('starts with "denied" and the rule if the address is not allowed', async () => {
    const egress = createEgress(parseAllowedHosts('external'))
    const { error } = await post(receiver.url, 1000, egress.dispatcher)
    expect(error).toMatch(/^denied: 127\.0\.0\.1 is loopback, which /)
    await egress.close()
  })
})
