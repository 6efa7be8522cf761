import { expect, it } from 'vitest'
import { seal, unseal } from './seal'

const config = { secretKey: 'k'.repeat(64) }

it('unseal returns the sealed text, including empty and Unicode texts', () => {
  for (const text of ['', 'secret', 'ключ 🔑']) {
    expect(unseal(config, 'hook.secret', seal(config, 'hook.secret', text))).toBe(text)
  }
})

it('sealing the same text twice gives different results, neither of which contains it', () => {
  const [first, second] = [seal(config, 'hook.secret', 'hunter2'), seal(config, 'hook.secret', 'hunter2')]
  expect(first.equals(second)).toBe(false)
  expect(first.includes('hunter2')).toBe(false)
})

it('unseal refuses a sealed text with changed bytes, another purpose or another key', () => {
  const sealed = seal(config, 'hook.secret', 'hunter2')
  const refused = /cannot decrypt a value sealed as hook/
  expect(() => unseal(config, 'hook.url', sealed)).toThrow(refused)
  expect(() => unseal({ secretKey: 'x'.repeat(64) }, 'hook.secret', sealed)).toThrow(refused)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => unseal(config, 'hook.secret', changed)).toThrow(refused)
  }
  expect(() => unseal(config, 'hook.secret', sealed.subarray(0, 10))).toThrow(refused)
})
