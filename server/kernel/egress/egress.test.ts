import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { buildConnector, request } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { receiverCertificate } from '@/testing/certificate'
import { checkUrl, EgressDenied, parseAllowedHosts } from '.'
import { createEgress } from './dispatcher'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function egressOf(list: string, doubles?: Parameters<typeof createEgress>[1]) {
  const egress = createEgress(parseAllowedHosts(list), doubles)
  closing.push(() => egress.close())
  return egress
}

/** Simulates connecting: responds to every request and records the address. No connection is made. */
function pretendToConnect(reached?: string) {
  return vi.fn<buildConnector.connector>((target, callback) => {
    const socket = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        this.push('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
        done()
      },
    })
    callback(null, Object.assign(socket, { remoteAddress: reached ?? target.hostname }) as never)
  })
}

const addressesOf = (connect: ReturnType<typeof pretendToConnect>) =>
  connect.mock.calls.map(([target]) => target.hostname)

/** Spellings of addresses that the default setting denies. */
const hostileHosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '127.0.0.1.', '0', '0.0.0.0', '0x0', '0.0'],
  ...['2130706433', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1', '017700000001', '0177.0.0.1', '0177.1'],
  ...['127.0.0x1', '0x7f.0.0.1.', '00000000177.0.0.1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '0x'],
  ...['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '１６９.254.169.254'],
  ...['𝟏𝟐𝟕.𝟎.𝟎.𝟏', '²¹³⁰⁷⁰⁶⁴³³', '127.0.0.1\t', '1\n27.0.0.1', '12\u00ad7.0.0.1', '127.0.0.\u200b1'],
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0xA9.0xFE.0xA9.0xFE',
    '0251.0376.0251.0376',
    '169.16689662',
  ],
  ...[
    '10.0.0.1',
    '10.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
    '0300.0250.1',
  ],
  ...[
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
  ],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff'],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:0:0]',
  ],
  ...['[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]', '[::ffff:0:127.0.0.1]', '[::2]'],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::10.0.0.1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
  ],
  ...[
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[2001::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
  ],
  ...[
    '[fd00:ec2::254]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'a.localhost',
    'a.b.localhost.',
    'local%68ost',
  ],
]

describe('requests by default', () => {
  it.each(hostileHosts)('to http://%s/ are refused without connecting', async host => {
    const connect = pretendToConnect()
    const { dispatcher } = egressOf('external', { connect })
    await expect(request(`http://${host}/`, { dispatcher })).rejects.toBeInstanceOf(EgressDenied)
    expect(connect).not.toHaveBeenCalled()
    await expect(checkUrl(parseAllowedHosts('external'), `https://${host}:8443/`)).resolves.toMatchObject({
      kind: 'denied',
      details: expect.stringContaining('GUILDHALL_WEBHOOK_ALLOWED_HOSTS is "external"'),
    })
  })

  it.each([
    '[fe80::1%25eth0]',
    '[::1%lo]',
    '127.0.0.1%00',
    '127.0.0.256',
    '1.2.3.4.5',
    '0x7f.1.1.1.1',
    '127.0.0.1%2f',
  ])('to http://%s/ are refused because the URL is invalid', async host => {
    const connect = pretendToConnect()
    const { dispatcher } = egressOf('*', { connect })
    expect(() => request(`http://${host}/`, { dispatcher })).toThrow('Invalid URL')
    expect(connect).not.toHaveBeenCalled()
  })

  it.each(['ftp://8.8.8.8/', 'file:///etc/passwd', 'gopher://8.8.8.8/', 'unix:/run/docker.sock', 'data:,x'])(
    'to %s are not sent',
    async url => {
      const connect = pretendToConnect()
      const { dispatcher } = egressOf('*', { connect })
      expect(() => request(url, { dispatcher })).toThrow('Invalid URL protocol')
      expect(connect).not.toHaveBeenCalled()
    },
  )

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fd12:3456::1',
    'fe80::1%eth0',
    '224.0.0.1',
    'not an address',
    '8.8.8.8, 127.0.0.1',
    '127.0.0.1, 8.8.8.8',
    '2606:4700::1111, 8.8.8.8, ::ffff:10.0.0.1',
  ])('to a name that resolves to %s are refused without connecting', async answers => {
    const connect = pretendToConnect()
    const lookup = async () => answers.split(', ')
    const { dispatcher } = egressOf('external', { connect, lookup })
    await expect(request('http://hooks.example.com/', { dispatcher })).rejects.toMatchObject({
      name: 'EgressDenied',
      host: 'hooks.example.com',
    })
    expect(connect).not.toHaveBeenCalled()
  })

  it('do not go to a host in the user part of a URL, before the @', async () => {
    const connect = pretendToConnect()
    const lookup = vi.fn(async () => ['8.8.8.8'])
    const { dispatcher } = egressOf('external', { connect, lookup })
    await request('http://127.0.0.1:80@hooks.example.com/', { dispatcher })
    await expect(request('http://hooks.example.com@127.0.0.1/', { dispatcher })).rejects.toThrow(
      'is loopback',
    )
    expect(lookup.mock.calls).toEqual([['hooks.example.com']])
    expect(addressesOf(connect)).toEqual(['8.8.8.8'])
  })

  it.each(['8.8.8.8', '134744072', '[2606:4700::1111]', '[::ffff:8.8.8.8]'])('reach %s', async host => {
    const connect = pretendToConnect()
    const { dispatcher } = egressOf('external', { connect })
    const { statusCode } = await request(`http://${host}:8080/`, { dispatcher, method: 'POST' })
    expect(statusCode).toBe(204)
    expect(addressesOf(connect)).toEqual([host.includes('4700') ? '2606:4700::1111' : '8.8.8.8'])
  })
})

describe('a host name in a request', () => {
  it('is connected at the address that was checked, even if it resolves to another address later', async () => {
    const connect = pretendToConnect()
    const lookup = vi.fn(async () => ['127.0.0.1']).mockResolvedValueOnce(['8.8.8.8'])
    const { dispatcher } = egressOf('external', { connect, lookup })
    await request('http://hooks.example.com/', { dispatcher })
    expect(addressesOf(connect)).toEqual(['8.8.8.8'])
    expect(lookup).toHaveBeenCalledTimes(1)
    await expect(request('http://hooks.example.com/', { dispatcher })).rejects.toBeInstanceOf(EgressDenied)
    expect(addressesOf(connect)).toEqual(['8.8.8.8'])
  })

  it('is kept in the Host header and in TLS, without a trailing dot', async () => {
    const connect = pretendToConnect()
    const { dispatcher } = egressOf('external', { connect, lookup: async () => ['8.8.8.8'] })
    await request('https://hooks.example.com.:8443/', { dispatcher })
    expect(connect.mock.calls[0]?.[0]).toMatchObject({ hostname: '8.8.8.8', servername: 'hooks.example.com' })
  })

  it('is tried at the first address, then at one of the other address family, then at a third one, and at no more', async () => {
    const connect = vi.fn<buildConnector.connector>((target, callback) =>
      callback(new Error(`${target.hostname} is away`), null),
    )
    const lookup = async () => ['8.8.8.8', '8.8.4.4', '1.1.1.1', '2606:4700::1111']
    const { dispatcher } = egressOf('external', { connect, lookup })
    await expect(request('http://hooks.example.com/', { dispatcher })).rejects.toThrow(
      'hooks.example.com is away',
    )
    expect(addressesOf(connect)).toEqual(['8.8.8.8', '2606:4700::1111', '8.8.4.4'])
  })

  it.each(['127.0.0.1', '::1'])(
    'appears instead of the address in the error of a failed connection to %s',
    async address => {
      const server = createServer().listen(0, address)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      await new Promise(closed => server.close(closed))
      const { dispatcher } = egressOf('loopback', { lookup: async () => [address] })
      await expect(request(`http://inside.example:${port}/`, { dispatcher })).rejects.toMatchObject({
        code: 'ECONNREFUSED',
        message: `connect ECONNREFUSED inside.example:${port}`,
      })
    },
  )

  it('is resolved in its ASCII form if it has non-ASCII characters', async () => {
    const lookup = vi.fn(async () => ['8.8.8.8'])
    const { dispatcher } = egressOf('external', { connect: pretendToConnect(), lookup })
    await request('http://bücher.example/', { dispatcher })
    expect(lookup).toHaveBeenCalledWith('xn--bcher-kva.example')
  })

  it('causes an error that says that it does not resolve', async () => {
    const lookup = async () => []
    const { dispatcher } = egressOf('external', { connect: pretendToConnect(), lookup })
    await expect(request('http://nobody.example/', { dispatcher })).rejects.toMatchObject({
      message: 'the name nobody.example does not resolve',
      code: 'ENOTFOUND',
    })
    await expect(checkUrl(parseAllowedHosts('*'), 'http://nobody.example/', lookup)).resolves.toEqual({
      kind: 'unresolved',
      host: 'nobody.example',
      message: 'the name nobody.example does not resolve',
    })
  })

  it('passes checkUrl if it resolves to an allowed address', async () => {
    const lookup = async () => ['8.8.8.8']
    const check = checkUrl(parseAllowedHosts('external'), 'https://hooks.example.com/', lookup)
    await expect(check).resolves.toBeUndefined()
  })

  it('fails checkUrl if it does not resolve within three seconds', async () => {
    vi.useFakeTimers()
    const check = checkUrl(parseAllowedHosts('external'), 'http://slow.example/', () => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    await expect(check).resolves.toMatchObject({ kind: 'unresolved', host: 'slow.example' })
  })
})

it.each([
  ['127.0.0.1', '8.8.8.8 resolves to an address that is loopback'],
  ['8.8.4.4', 'connected to an address other than 8.8.8.8'],
  ['', 'connected to no address instead of 8.8.8.8'],
])('a socket is not used if it connected to "%s" instead of 8.8.8.8', async (reached, message) => {
  const connect = pretendToConnect(reached)
  const { dispatcher } = egressOf('external', { connect })
  await expect(request('http://8.8.8.8/', { dispatcher })).rejects.toThrow(message)
  expect(connect).toHaveBeenCalledTimes(1)
})

describe('a receiver on the loopback interface', () => {
  it('is reached if loopback is allowed, and its redirects are not followed', async () => {
    const server = createServer((call, answer) =>
      answer.writeHead(302, { location: 'http://169.254.169.254/', 'x-host': call.headers.host }).end(),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const { dispatcher } = egressOf('loopback')
    const { statusCode, headers } = await request(`http://localhost:${port}/`, { dispatcher })
    expect(statusCode).toBe(302)
    expect(headers['x-host']).toBe(`localhost:${port}`)
  })

  it('is reached at the same address while its connection is reused, even if the host name now resolves to another one', async () => {
    const server = createServer((_call, answer) => answer.end())
    const connections = vi.fn()
    server.on('connection', connections).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const lookup = vi.fn(async () => ['10.0.0.1']).mockResolvedValueOnce(['127.0.0.1'])
    const { dispatcher } = egressOf('loopback', { lookup })
    for (let count = 0; count < 3; count++) {
      const { body } = await request(`http://hooks.example.com:${port}/`, { dispatcher })
      await body.dump()
      // The pool takes a connection back one turn later.
      await setImmediate()
    }
    expect(connections).toHaveBeenCalledTimes(1)
    expect(lookup).toHaveBeenCalledTimes(1)
  })

  it('must have a certificate for the requested name', async () => {
    const names: unknown[] = []
    const server = createSecureServer(receiverCertificate, (call, answer) => {
      names.push(Reflect.get(call.socket, 'servername'), call.headers.host)
      answer.end('received')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const { dispatcher } = egressOf('loopback', {
      lookup: async () => ['127.0.0.1'],
      connect: buildConnector({ ca: receiverCertificate.cert }),
    })
    const { body } = await request(`https://receiver.test:${port}/`, { dispatcher })
    expect(await body.text()).toBe('received')
    expect(names).toEqual(['receiver.test', `receiver.test:${port}`])
    for (const host of ['another.test', '127.0.0.1']) {
      const asked = request(`https://${host}:${port}/`, { dispatcher })
      await expect(asked).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    }
  })
})
