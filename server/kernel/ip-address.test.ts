import { expect, it } from 'vitest'
import { addressGroup, addressNetwork, parseNetworks } from './ip-address'

it.each([
  ['', ''],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('addressGroup of "%s" is "%s"', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

it.each([
  ['', ''],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
])('addressNetwork of "%s" is "%s"', (address, network) => {
  expect(addressNetwork(address)).toBe(network)
})

it.each([
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.1.2.3', false],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['2001:db8::/32', '2001:db8:1::2', true],
  ['2001:db8::/32', '10.1.2.3', false],
])('for the network %s, matching the address %s returns %s', (network, address, has) => {
  const parsed = parseNetworks(network)
  expect('match' in parsed && parsed.match(address)).toBe(has)
})

it('parseNetworks refuses a network that is part IPv4 and part IPv6', () => {
  expect(parseNetworks('10.0.0.0/8, ::ffff:0:0/95')).toEqual({ wrong: '::ffff:0:0/95' })
})
