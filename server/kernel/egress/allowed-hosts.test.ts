import { describe, expect, it } from 'vitest'
import { denialOf, parseAllowedHosts } from './allowed-hosts'

const allows = (list: string, address: string, host = address): boolean =>
  denialOf(parseAllowedHosts(list), host, address) === undefined

const external = ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111']
const ownNetworks = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd12:3456::1']
const loopback = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']
const special = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fec0::1', 'site-local'],
  ['168.63.129.16', 'a cloud metadata service'],
  ['100.100.100.200', 'a cloud metadata service'],
  ['192.0.0.192', 'a cloud metadata service'],
  ['fd00:ec2::254', 'a cloud metadata service'],
  ['fd20:ce::254', 'a cloud metadata service'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.0.1', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['192.88.99.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['100::1', 'reserved'],
  ['2001:10::1', 'reserved'],
  ['2001:20::1', 'reserved'],
  ['2001:2::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['3fff::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['::127.0.0.1', 'IPv4-compatible for 127.0.0.1'],
  ['::8.8.8.8', 'IPv4-compatible for 8.8.8.8'],
  ['::ffff:0:10.0.0.1', 'IPv4-translated for 10.0.0.1'],
  ['64:ff9b::169.254.169.254', 'NAT64 for 169.254.169.254'],
  ['64:ff9b:1::10.0.0.1', 'NAT64 for 10.0.0.1'],
  ['2002:7f00:1::', '6to4 for 127.0.0.1'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo for 127.0.0.1'],
  ['2606:4700::5efe:10.0.0.1', 'ISATAP for 10.0.0.1'],
  ['no address', 'not an IP address'],
] as const

describe('a keyword in the list of allowed hosts', () => {
  it.each([
    ['external', external],
    ['private', ownNetworks],
    ['loopback', loopback],
  ])('"%s" allows exactly the addresses of its networks', (word, own) => {
    const all = [...external, ...ownNetworks, ...loopback, ...special.map(([address]) => address)]
    expect(all.filter(address => allows(word, address))).toEqual(own)
  })

  it('"*" also allows all special-purpose addresses', () => {
    expect(special.filter(([address]) => !allows('*', address))).toEqual([])
  })

  it('can be combined with other keywords, in any letter case and with spaces around it', () => {
    expect(allows(' External , LOOPBACK ', '127.0.0.1')).toBe(true)
    expect(allows(' External , LOOPBACK ', '10.0.0.1')).toBe(false)
  })
})

it.each(special)('the address %s is denied as "%s"', (address, rule) => {
  expect(denialOf(parseAllowedHosts('external, private, loopback'), address, address)).toMatchObject({ rule })
})

it.each([
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.0.0.0/8', '64:ff9b::10.1.2.3', false],
  ['fd00::/8', 'fd00:ec2::254', true],
  ['169.254.169.254', '169.254.169.254', true],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['192.168.1.*', '192.168.1.7', true],
  ['192.168.1.*', '192.168.10.7', false],
  ['10.0.0.?', '10.0.0.7', true],
  ['10.0.0.?', '10.0.0.77', false],
  ['fd12:*', 'fd12:3456::1', true],
])('with the entry %s, the address %s is allowed: %s', (list, address, expected) => {
  expect(allows(list, address)).toBe(expected)
})

it.each([
  ['ci.example.com', 'ci.example.com', '10.0.0.1', true],
  ['ci.example.com', 'CI.Example.com.', '10.0.0.1', true],
  ['ci.example.com', 'ci.example.com.evil.test', '10.0.0.1', false],
  ['ci.example.com', 'cixexample.com', '8.8.8.8', false],
  ['*.example.com', 'a.b.example.com', '127.0.0.1', true],
  ['*.example.com', 'example.com', '8.8.8.8', false],
  ['*.bücher.example', 'a.xn--bcher-kva.example', '8.8.8.8', true],
  ['drone', 'drone', '172.18.0.3', true],
  ['ci.example.com', 'ci.example.com', '169.254.169.254', false],
  ['*.example.com', 'a.example.com', '::127.0.0.1', false],
  ['10.*', '10.example.com', '127.0.0.1', false],
  ['*.*', '10.0.0.1', '10.0.0.1', false],
])('with the entry %s, the host %s at the address %s is allowed: %s', (list, host, address, expected) => {
  expect(allows(list, address, host)).toBe(expected)
})

it.each([
  ',',
  'http://example.com',
  'example.com:8080',
  'example.com/hook',
  '[::1]',
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/',
  '999.1.1.1',
  '127.1',
  'a b',
  'a..b',
  '[a-z].example.com',
  'external loopback',
])('parseAllowedHosts refuses "%s" with a message that shows the expected format', list => {
  expect(() => parseAllowedHosts(list)).toThrow(
    /^expected a comma-separated list of external, loopback, private, \*/,
  )
})

describe('denialOf', () => {
  const rules = parseAllowedHosts('external, *.example.com')

  it('names the address, its range and the setting', () => {
    expect(denialOf(rules, '169.254.169.254', '169.254.169.254')).toMatchObject({
      message: '169.254.169.254 is link-local, which GUILDHALL_WEBHOOK_ALLOWED_HOSTS does not allow',
      details:
        '169.254.169.254 is link-local; GUILDHALL_WEBHOOK_ALLOWED_HOSTS is "external, *.example.com", ' +
        'and "external, *.example.com, 169.254.169.254" would allow it',
    })
  })

  it('names the address that a host name resolves to only in the details', () => {
    expect(denialOf(rules, 'Inside.test.', '::ffff:10.0.0.1')).toMatchObject({
      message:
        'inside.test resolves to an address that is private, which GUILDHALL_WEBHOOK_ALLOWED_HOSTS does not allow',
      details:
        'inside.test resolves to 10.0.0.1, which is private; ' +
        'GUILDHALL_WEBHOOK_ALLOWED_HOSTS is "external, *.example.com", and "external, *.example.com, inside.test" would allow it',
    })
  })

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['inside.test', '10.0.0.1'],
    ['metadata.test', '169.254.169.254'],
    ['::1', '::1'],
  ])('suggests a value that allows %s at %s', (host, address) => {
    const details = denialOf(rules, host, address)?.details ?? ''
    const value = /and "(.+)" would allow it$/.exec(details)?.[1] ?? ''
    expect(denialOf(parseAllowedHosts(value), host, address)).toBeUndefined()
  })
})
